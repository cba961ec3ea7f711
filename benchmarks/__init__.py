"""What the generated package and its generator cost, beside what else people would use."""
