"""Reports: tables, figures and one self-contained page about runs, from what their directories hold."""

from blicket.report.report import PAGE, Report, report_of, write_report

__all__ = ["PAGE", "Report", "report_of", "write_report"]
