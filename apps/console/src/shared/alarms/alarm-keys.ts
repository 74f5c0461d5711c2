/** Keys under which everything of alarms is cached, so that notification of them find all of it. */
export const alarmKeys = {
  all: ['alarms'],
  /** What changes when alarms do: lists, counts and the log, but not rules and targets. */
  live: ['alarms', 'live'],
  silences: ['alarms', 'silences'],
  rules: ['alarms', 'rules'],
  targets: ['alarms', 'targets'],
} as const
