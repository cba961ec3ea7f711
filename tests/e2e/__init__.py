"""`wiregen` as other repositories use it: installed from its wheel, in git repositories that are thrown away."""
