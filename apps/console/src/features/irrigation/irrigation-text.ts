import type {
  IrrigationConflict,
  IrrigationGroup,
  IrrigationRun,
  IrrigationSource,
} from '@isotherm/contract/irrigation'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'

/** Texts of what an irrigated field shows. */
export function useIrrigationText() {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const duration = (seconds: number): string =>
    seconds < 120
      ? t('seconds', { value: Math.max(0, Math.round(seconds)) })
      : t('minutes', { value: Math.round(seconds / 60) })
  const groupName = ({ groups }: IrrigationSource, id: number): string =>
    groups.find((group) => group.id === id)?.name ?? String(id)
  const valveName = ({ groups }: Pick<IrrigationSource, 'groups'>, id: number): string =>
    groups.flatMap(({ valves }) => valves).find(({ deviceId }) => deviceId === id)?.deviceName ?? String(id)
  return {
    duration,
    groupName,
    valveName,
    /** A probe of its own, or the valve that has one. */
    probeName: ({ probes, valves }: IrrigationGroup, id: number): string =>
      [...probes, ...valves].find(({ deviceId }) => deviceId === id)?.deviceName ?? String(id),
    programName: ({ programs }: IrrigationSource, id: number): string =>
      programs.find((program) => program.id === id)?.name ?? '',
    /** When a run that waits begins, and after which others; undefined if it has begun or begins now. */
    waiting({ waiting }: IrrigationRun, { timeZone }: IrrigationSource, now: number): string | undefined {
      if (!waiting) return undefined
      const at = format.moment(waiting.startMs, timeZone)
      if (waiting.after.length > 0) return t('waiting.after', { at, runs: waiting.after.join(' · ') })
      return waiting.startMs > now ? t('waiting.at', { at }) : undefined
    },
    volume: (m3: number): string => t('m3', { value: format.number(m3, 2) }),
    conflict(source: IrrigationSource, conflict: IrrigationConflict): string {
      switch (conflict.kind) {
        case 'moist':
          return t('conflict.moist', { group: groupName(source, conflict.groupId) })
        case 'queued':
          return t('conflict.queued', { minutes: duration(conflict.delayS) })
        case 'budget':
          return t('conflict.budget', {
            group: groupName(source, conflict.groupId),
            value: format.number(conflict.missingM3, 2),
          })
        case 'capacity':
          return t('conflict.capacity', { valve: valveName(source, conflict.valveId) })
        default:
          return t(`conflict.${conflict.kind}`)
      }
    },
  }
}
