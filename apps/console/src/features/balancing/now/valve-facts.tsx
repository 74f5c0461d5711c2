import { CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { ABSENT, withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import type { BalanceValve } from '../indices/valve-query.ts'
import styles from './section.module.css'

interface ValveFactsProps {
  readonly valve: BalanceValve
  readonly onClose: () => void
}

/** Readings of the selected valve. */
export function ValveFacts({ valve, onClose }: ValveFactsProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const mayHistory = useIsPermitted('pe-fmhistory')
  const write = (value: number | undefined, decimals: number, unit: string) => {
    const text = format.number(value, decimals)
    return text === ABSENT ? text : withUnit(text, unit)
  }
  const facts = [
    [t('valve.opening'), format.metric('valve.opening', valve.openingPct)],
    [t('valve.flow'), write(valve.flowM3H, 3, 'm³/h')],
    [t('valve.supply'), format.metric('temp.supply', valve.supplyC)],
    [t('valve.return'), format.metric('temp.return', valve.returnC)],
    [t('valve.deviation'), write(valve.deviationK, 2, 'K')],
    [t('valve.room'), format.metric('temp.room', valve.roomC)],
    [t('valve.area'), write(valve.areaM2, 0, 'm²')],
    [t('valve.state'), valve.excluded ? t(`exclusion.${valve.excluded}`) : t('valve.included')],
  ] as const
  return (
    <section className={styles.facts} aria-live="polite" data-testid="valve-facts">
      <header>
        <strong title={toWholeAddress(valve.nestaddr)}>{toCompactAddress(valve.nestaddr)}</strong>
        <span className={styles.links}>
          {mayHistory && <Link to={`/ewph/fmhistory?devices=${valve.deviceId}`}>{t('valve.history')}</Link>}
          <Button
            size="small"
            type="text"
            icon={<CloseOutlined />}
            aria-label={t('valve.close')}
            onClick={onClose}
          />
        </span>
      </header>
      <FactList facts={facts} className={styles.list} />
    </section>
  )
}
