/** What is done to alarms: any of these together. */
export interface Deeds {
  readonly acknowledge?: true
  readonly close?: true
  /** Null takes it from whoever had it. */
  readonly assignee?: string | null
  readonly comment?: string
}
