import type { PasswordShown } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'

/** Words for who saw a password, when and where. */
export function useShownText(): (shown: PasswordShown) => string {
  const { t } = useTranslation('devices')
  const format = useFormat()
  return ({ at, by, way }) =>
    t('login.shown', {
      at: format.instant(at),
      by: by === '' ? t('login.deviceItself') : by,
      way: t(`login.way.${way}`),
    })
}
