import type { RoomReason } from '@isotherm/contract/rooms/room-reason'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'

/** Texts of the reasons of cold and hot rooms, with their figures. */
export function useReasonText(): (reason: RoomReason) => string {
  const { t } = useTranslation('rooms')
  const format = useFormat()
  const celsius = (value: number) => format.metric('temp.room', value)
  return (reason) => {
    switch (reason.kind) {
      case 'sensor-silent':
      case 'sensor-suspect':
        return t(`reason.${reason.kind}`)
      case 'window':
        return t('reason.window', { fell: withUnit(format.number(reason.fellK, 1), 'K') })
      case 'valve-closed':
      case 'valve-open':
        return t(`reason.${reason.kind}`, { opening: format.metric('valve.opening', reason.openingPct) })
      case 'supply-low':
        return t('reason.supply-low', { own: celsius(reason.supplyC), peers: celsius(reason.peersC) })
      case 'flow-low':
      case 'flow-high':
        return t(`reason.${reason.kind}`, { own: celsius(reason.returnC), peers: celsius(reason.peersC) })
      case 'neighbours-cold':
      case 'neighbours-hot':
      case 'only-here':
        return t(`reason.${reason.kind}`, { median: celsius(reason.medianC) })
    }
  }
}
