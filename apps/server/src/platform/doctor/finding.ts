/** A line of the doctor. */
export interface Finding {
  /** `fault`: something does not work or soon will not. `warning`: it works, and somebody should look at it. */
  readonly state: 'ok' | 'warning' | 'fault'
  /** What was examined and found, one line. */
  readonly what: string
  /** What to do about it; absent if it is fine. */
  readonly repair?: string
}

export const ok = (what: string): Finding => ({ state: 'ok', what })
export const warning = (what: string, repair: string): Finding => ({ state: 'warning', what, repair })
export const fault = (what: string, repair: string): Finding => ({ state: 'fault', what, repair })

/** The reason of an error in a few words; never an address with a password. */
export function toReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return toReason(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return toReason(error.cause)
  return 'code' in error && error.message === '' ? String(error.code) : error.message
}
