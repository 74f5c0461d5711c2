import type { IrrigationConflict, IrrigationSource } from '@isotherm/contract/irrigation'
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
    programName: ({ programs }: IrrigationSource, id: number): string =>
      programs.find((program) => program.id === id)?.name ?? '',
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
