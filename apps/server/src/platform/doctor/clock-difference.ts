import { type Finding, fault, ok, warning } from './finding.ts'

const WARNING_MS = 2_000
const FAULT_MS = 30_000

/**
 * Compares an engine's clock with that of this machine. `before` and `after`: this machine's clock around the question, so
 * that the time of the answer does not count. All Unix ms.
 */
export function judgeClock(name: string, engineAt: number, before: number, after: number): Finding {
  const offMs = engineAt < before ? engineAt - before : engineAt > after ? engineAt - after : 0
  const what = `clock of ${name}: ${(offMs / 1_000).toFixed(1)} s from that of this machine`
  const repair = 'synchronise both machines by NTP (systemd-timesyncd or chrony)'
  if (Math.abs(offMs) >= FAULT_MS) return fault(what, repair)
  return Math.abs(offMs) >= WARNING_MS ? warning(what, repair) : ok(what)
}
