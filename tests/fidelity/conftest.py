"""Shows the fidelity counts of each version at the end of a run."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter


def pytest_terminal_summary(terminalreporter: "TerminalReporter") -> None:
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
    counts = [str(value) for report in reports for name, value in report.user_properties if name == "fidelity"]
    if counts:
        terminalreporter.section("fidelity")
        for line in sorted(counts):
            terminalreporter.write_line(line)
