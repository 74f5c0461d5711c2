import { useTranslation } from 'react-i18next'
import type { DraftFault } from './draft/find-draft-faults.ts'

/** The text of a fault. */
export function useFaultText(): (fault: DraftFault | undefined) => string | undefined {
  const { t } = useTranslation(['devices', 'common'])
  return (fault) => {
    if (fault === undefined) return undefined
    switch (fault.kind) {
      case 'required':
      case 'format':
        return t(`form.fault.${fault.kind}`, { ns: 'common' })
      case 'tooLong':
      case 'tooShort':
      case 'above':
      case 'below':
      case 'tooMany':
        return t(`form.fault.${fault.kind}`, { ns: 'common', limit: fault.limit })
      default:
        return t(`config.fault.${fault.kind}`)
    }
  }
}
