import type { TargetFault } from '@isotherm/contract/alarms/alarms'
import { useTranslation } from 'react-i18next'

const isStatus = (fault: TargetFault): fault is `status ${number}` => fault.startsWith('status ')
const isCode = (fault: TargetFault): fault is `code ${number}` => fault.startsWith('code ')

/** Why a message did not arrive, as text. */
export function useFaultText(): (fault: TargetFault) => string {
  const { t } = useTranslation('alarms')
  return (fault) => {
    if (isStatus(fault)) return t('targetFault.status', { status: fault.slice('status '.length) })
    if (isCode(fault)) return t('targetFault.code', { code: fault.slice('code '.length) })
    return t(`targetFault.${fault}`)
  }
}
