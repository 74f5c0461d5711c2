import type { BackupRun } from '@isotherm/contract/endpoints/administration/backups'
import { SECOND_MS } from '@isotherm/kernel/durations'
import type { TFunction } from 'i18next'
import type { Format } from '../../../shared/format/use-format.ts'
import type { SimpleState } from '../../../shared/ui/state-badge.tsx'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const
/** From this duration on, it is shown in minutes, s. */
const MINUTES_FROM_S = 120

/** A number of bytes with a unit of three digits: 5.0 GB. */
export function toSize(bytes: number, format: Format): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${format.number(bytes / 1000 ** power, power === 0 ? 0 : 1)} ${UNITS[power]}`
}

/** Duration of a run in seconds or minutes, with its unit; empty while the run continues. */
export function toDuration(
  { startedAt, endedAt }: BackupRun,
  format: Format,
  t: TFunction<'system'>,
): string {
  if (endedAt === null) return ''
  const seconds = (endedAt - startedAt) / SECOND_MS
  return seconds < MINUTES_FROM_S
    ? t('backups.seconds', { value: format.number(seconds, 0) })
    : t('backups.minutes', { value: format.number(seconds / 60, 0) })
}

/** State of a run as a badge shows it. */
export const toBadge = ({ state }: BackupRun): SimpleState =>
  state === 'whole' ? 'on' : state === 'running' ? 'off' : 'failed'

/** Why a run gave no usable backup; empty if it did. */
export function toFault({ state, fault, isFuture }: BackupRun, t: TFunction<'system'>): string {
  if (isFuture) return t('backups.future')
  return state === 'interrupted' ? t('backups.interrupted') : (fault ?? '')
}
