"""What the flags say instead of the configuration."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from wiregen import config, flags, quick
from wiregen.catalogue import Target
from wiregen.cli import app
from wiregen.config import ConfigFile
from wiregen.errors import InvalidInput
from wiregen.parts import PARTS
from wiregen.resolve import resolve
from wiregen.settings import Output, Settings

V1, V2 = Target("acp", "v1"), Target("acp", "v2")
ONE = Settings(output=Path("src/app/wire"), package="app.wire", versions=(V1,), schemas={V1: Path("a.json")})
TWO = Settings(output=Path("tests/wire"), versions=(V1, V2), emit=("models",), line_length=80)


def file(*outputs: Settings, common: Settings | None = None) -> ConfigFile:
    return ConfigFile(Path("pyproject.toml"), common or (outputs[0] if len(outputs) == 1 else Settings()), outputs)


def refused(found: ConfigFile, given: Settings) -> str:
    with pytest.raises(InvalidInput) as caught:
        resolve(found, given)
    (finding,) = caught.value.diagnostics
    assert finding.hint
    return f"{finding.code}: {finding.message}"


def test_flags_alone() -> None:
    given = flags.settings(targets=["acp@v2"], schema=["acp@v1=a=b.json"], output=Path("x/wire"), package="x.wire")
    assert resolve(ConfigFile(), given).outputs == (
        Output(folder=Path("x/wire"), package="x.wire", versions=(V1, V2), schemas={V1: Path("a=b.json")}),
    )


def test_the_file_alone() -> None:
    one, two = resolve(file(ONE, TWO)).outputs
    assert one == Output(folder=Path("src/app/wire"), package="app.wire", versions=(V1,), schemas={V1: Path("a.json")})
    assert (two.package, two.emit, two.line_length, one.emit, one.line_length) == (
        "wire",
        ("models",),
        80,
        tuple(PARTS),
        120,
    )


def test_a_flag_holds_for_every_output() -> None:
    given = flags.settings(targets=["acp@v2"], line_length=100, emit=["messages"], templates=Path("t"))
    for output in resolve(file(ONE, TWO), given).outputs:
        assert (output.versions, output.schemas) == ((V2,), {})
        assert (output.line_length, output.emit, output.templates) == (100, ("messages",), Path("t"))


def test_an_output_picks_the_one_of_that_folder() -> None:
    assert resolve(file(ONE, TWO), flags.settings(output=Path("tests/../tests/wire"))) == resolve(file(TWO))


@pytest.mark.parametrize("folder", ["src/app/wire/inner", "src/app", "src/../src/app/wire/inner", "tests/wire/x"])
def test_another_output_does_not_lie_in_one_of_the_file_or_around_it(folder: str) -> None:
    assert refused(file(ONE, TWO), flags.settings(output=Path(folder))).startswith("overlapping-outputs: --output")


def test_what_the_file_does_not_say_is_told_with_its_line() -> None:
    texts = {
        "no-versions": '# 1\n[tool.wiregen]\n# 3\noutput = "a"\n',
        "no-output": "# 1\n# 2\n# 3\n[tool.wiregen]\nline-length = 80\n",
    }
    for code, text in texts.items():
        with pytest.raises(InvalidInput) as caught:
            resolve(config.parse(text.encode(), file=Path("pyproject.toml")))
        assert [(f.code, f.file, f.line) for f in caught.value.diagnostics] == [(code, "pyproject.toml", 4)]
    text = "[tool.wiregen]\noutputs = [\n{output = 'a', versions = ['acp@v2']},\n{output = 'b'},\n]\n"
    with pytest.raises(InvalidInput) as caught:
        resolve(config.parse(text.encode(), file=Path("pyproject.toml")))
    assert [(f.code, f.line) for f in caught.value.diagnostics] == [("no-versions", 4)]


def test_an_empty_path_is_not_the_working_directory() -> None:
    for flag in ("--output", "--templates"):
        assert quick.parse(["generate", flag, ""]) is None
        done = CliRunner().invoke(app, ["generate", "acp@v2", "--output", "x/wire", "--check", flag, ""])
        assert (done.exit_code, "the path is empty" in done.output) == (2, True)
    with pytest.raises(InvalidInput, match="the name is empty"):
        flags.settings(package="")


def test_another_output_gets_what_the_file_says_of_all() -> None:
    (output,) = resolve(file(ONE), flags.settings(output=Path("other/pkg"))).outputs
    assert output == Output(folder=Path("other/pkg"), package="pkg", versions=(V1,), schemas={V1: Path("a.json")})


def test_a_schema_of_ones_own_takes_the_place_of_the_bundled_one() -> None:
    (output,) = resolve(file(ONE), flags.settings(schema=["acp@v1=b.json"])).outputs
    assert (output.versions, output.schemas) == ((V1,), {V1: Path("b.json")})


def test_what_nobody_says_or_cannot_be() -> None:
    out = Path("a/wire")
    assert refused(ConfigFile(), flags.settings()).startswith("no-output")
    assert refused(ConfigFile(), flags.settings(output=out)).startswith("no-versions")
    assert refused(ConfigFile(), flags.settings(targets=["acp@v2"], output=out, package="a.b")).startswith("bad-pack")
    assert refused(ConfigFile(), flags.settings(targets=["acp@v2"], output=Path("a-b"))).startswith("bad-package")
    assert refused(file(ONE, TWO), flags.settings(package="app.wire")).startswith("bad-package")
    assert refused(file(ONE), flags.settings(schema=["acp@v2=b.json"])).startswith("unused-schema: acp@v2")


@pytest.mark.parametrize(
    "given",
    [
        {"schema": ["acp@v2"]},
        {"schema": ["acp@v2="]},
        {"emit": ["model"]},
        {"targets": ["acp"]},
        {"targets": ["acp@v9"]},
    ],
)
def test_flags_that_cannot_be(given: dict[str, list[str]]) -> None:
    with pytest.raises(InvalidInput):
        flags.settings(**given)  # type: ignore[arg-type]


def test_flags_as_words() -> None:
    given = flags.settings(
        targets=["acp@v2"],
        schema=["acp@v1=a b.json"],
        output=Path("x/wire"),
        package="x.wire",
        emit=["models"],
        line_length=88,
        templates=Path("t"),
    )
    assert flags.words(given) == [
        *("acp@v2", "--output", str(Path("x/wire")), "--package", "x.wire", "--line-length", "88", "--templates", "t"),
        *("--schema", "acp@v1=a b.json", "--emit", "models"),
    ]
