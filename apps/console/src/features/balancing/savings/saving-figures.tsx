import type { HeatSavingAnswer } from '@isotherm/contract/balancing/heat-saving'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { Figure } from '../../../shared/ui/page-frame.tsx'
import styles from './saving.module.css'

const GJ_PER_KWH = 0.0036

type Known = Extract<HeatSavingAnswer['result'], { kind: 'known' }>
interface Amount {
  readonly savedKwh: number
  readonly lowKwh: number
  readonly highKwh: number
}

interface SavingFiguresProps {
  readonly saving: HeatSavingAnswer
  readonly known: Known
}

/** Amount saved with its interval, in a unit. */
function useAmounts() {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  return ({ savedKwh, lowKwh, highKwh }: Amount, unit: string, perKwh: number, decimals = 0) => ({
    value: withUnit(format.number(savedKwh * perKwh, decimals), unit),
    range: t('saving.range', {
      low: format.number(lowKwh * perKwh, decimals),
      high: withUnit(format.number(highKwh * perKwh, decimals), unit),
    }),
  })
}

/** What was saved, in energy and money, and how well the baseline fits. */
export function SavingFigures({ saving, known }: SavingFiguresProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const toAmount = useAmounts()
  const { prices, pump, source } = saving
  const percent = (value: number, decimals = 1) => withUnit(format.number(value, decimals), '%')
  const yuan = t('saving.yuan')
  const money =
    prices.yuanPerGj === undefined ? undefined : toAmount(known, yuan, GJ_PER_KWH * prices.yuanPerGj)
  const [gj, kwh] = [toAmount(known, 'GJ', GJ_PER_KWH, 1), toAmount(known, 'kWh', 1)]
  const share = (kwhSaved: number) => (100 * kwhSaved) / known.predictedKwh
  return (
    <>
      <div className={styles.figures}>
        <Amount label={t('saving.heat')} {...gj} testId="saving-gj" />
        <Amount label={t('saving.heat')} {...kwh} testId="saving-kwh" />
        <Amount
          label={t('saving.share')}
          value={percent(share(known.savedKwh))}
          range={t('saving.range', {
            low: format.number(share(known.lowKwh), 1),
            high: percent(share(known.highKwh)),
          })}
          testId="saving-share"
        />
        <Amount
          label={t('saving.money')}
          value={money?.value ?? t('saving.noPrice')}
          range={money?.range ?? t('saving.noPriceHint')}
          testId="saving-money"
        />
      </div>
      {known.lowKwh <= 0 && known.highKwh >= 0 && (
        <Alert type="info" showIcon data-testid="saving-unproven" title={t('saving.unproven')} />
      )}
      {!known.isWithinLimits && (
        <Alert
          type="warning"
          showIcon
          data-testid="saving-poor"
          title={t('saving.poor', { r2: format.number(known.r2, 2), cv: percent(known.cvRmsePct) })}
        />
      )}
      <FactList
        className={styles.facts}
        facts={[
          [t('saving.measured'), withUnit(format.number(known.measuredKwh, 0), 'kWh')],
          [t('saving.predicted'), withUnit(format.number(known.predictedKwh, 0), 'kWh')],
          ...(source ? [[t('saving.source'), t(`saving.sources.${source}`)] as const] : []),
          [
            t('saving.quality'),
            t('saving.qualityText', { r2: format.number(known.r2, 2), cv: percent(known.cvRmsePct) }),
          ],
          ...(pump
            ? [[t('saving.pump'), <PumpText key="pump" pump={pump} price={prices.yuanPerKwh} />] as const]
            : []),
        ]}
      />
    </>
  )
}

interface AmountProps {
  readonly label: string
  readonly value: string
  readonly range: string
  readonly testId: string
}

const Amount = ({ label, value, range, testId }: AmountProps) => (
  <Figure
    label={label}
    testId={testId}
    value={
      <>
        {value}
        <small className={styles.range}>{range}</small>
      </>
    }
  />
)

/** Electricity of the pump, with money if there is a price. */
function PumpText({
  pump,
  price,
}: {
  readonly pump: NonNullable<HeatSavingAnswer['pump']>
  readonly price: number | undefined
}) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { value, range } = useAmounts()(pump, 'kWh', 1)
  const money =
    price === undefined ? undefined : withUnit(format.number(pump.savedKwh * price, 0), t('saving.yuan'))
  return (
    <span data-testid="saving-pump">
      {[value, ...(money === undefined ? [] : [money])].join(' · ')}
      <small className={styles.range}>{range}</small>
      <small className={styles.range}>
        {t('saving.pumpDays', {
          before: format.number(pump.beforeKwhDay, 1),
          after: format.number(pump.afterKwhDay, 1),
        })}
      </small>
    </span>
  )
}
