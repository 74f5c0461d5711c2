/** Query keys of all cached alarm data. Live events invalidate by these keys. */
export const alarmKeys = {
  all: ['alarms'],
  /** Data that change with alarms: lists, counts and the log, but not rules and targets. */
  live: ['alarms', 'live'],
  silences: ['alarms', 'silences'],
  rules: ['alarms', 'rules'],
  targets: ['alarms', 'targets'],
} as const
