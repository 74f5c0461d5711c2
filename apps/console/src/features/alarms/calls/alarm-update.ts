/** Changes to alarms, any combination. */
export interface AlarmUpdate {
  readonly acknowledge?: true
  readonly close?: true
  /** Account of the new assignee; null removes the assignee. */
  readonly assignee?: string | null
  readonly comment?: string
}
