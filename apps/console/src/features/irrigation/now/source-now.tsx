import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Figure, Panel } from '../../../shared/ui/page-frame.tsx'
import styles from '../irrigation.module.css'
import { useIrrigationText } from '../irrigation-text.ts'
import { FieldMap } from './field-map.tsx'
import { GroupCards } from './group-cards.tsx'
import { OwnSensors } from './own-sensors.tsx'
import { RunNow } from './run-now.tsx'
import { SourceActions } from './source-actions.tsx'
import { SourceFaults } from './source-faults.tsx'
import { Timeline } from './timeline.tsx'
import { WeatherFigure } from './weather-figure.tsx'

/** Water of today, of the limit if there is one. */
function useToday({ usedTodayM3, dailyBudgetM3 }: IrrigationSource): string {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const used = format.number(usedTodayM3, 2)
  return dailyBudgetM3 === undefined
    ? t('m3', { value: used })
    : t('budget', { used, budget: format.number(dailyBudgetM3, 1) })
}

/** A source of water with its runs, its figures and its groups. */
export function SourceNow({ source }: { readonly source: IrrigationSource }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const text = useIrrigationText()
  const today = useToday(source)
  const { demand, runs, next, flowM3H, pressureKpa, inletKpa, pumpPct, master } = source
  const coming = next.find(({ steps }) => steps.length > 0)
  return (
    <Panel title={source.name} extra={<SourceActions source={source} />}>
      <div className={styles.stack} data-testid={`irrigation-source-${source.id}`}>
        <small className={styles.hint}>{source.nestaddr.replaceAll(',', ' / ')}</small>
        <div className={styles.figures}>
          <Figure label={t('today')} value={today} testId="irrigation-today" />
          <Figure label={t('capacity')} value={t('m3h', { value: format.number(source.capacityM3H, 1) })} />
          {flowM3H !== undefined && (
            <Figure
              label={t('flowNow')}
              value={t('m3h', { value: format.number(flowM3H, 1) })}
              testId="irrigation-source-flow"
            />
          )}
          {pressureKpa !== undefined && (
            <Figure label={t('pressure')} value={format.metric('pressure.supply', pressureKpa)} />
          )}
          {inletKpa !== undefined && (
            <Figure
              label={t('inletPressure')}
              value={format.metric('pressure.return', inletKpa)}
              testId="irrigation-inlet"
            />
          )}
          {pumpPct !== undefined && <Figure label={t('pump')} value={format.metric('pump.speed', pumpPct)} />}
          {master && (
            <Figure label={t('master')} value={t(`masterState.${master.state}`)} testId="irrigation-master" />
          )}
          <WeatherFigure demand={demand} />
        </div>
        <OwnSensors sensors={source.ownSensors} />
        <SourceFaults source={source} />
        {runs.map((run) => (
          <RunNow key={run.id} source={source} run={run} />
        ))}
        {runs.length === 0 && (
          <p className={styles.hint} data-testid="irrigation-idle">
            {t('idle')} ·{' '}
            {coming
              ? t('idleNext', {
                  name: text.programName(source, coming.programId),
                  at: format.moment(coming.startMs, source.timeZone),
                })
              : t('idleNone')}
          </p>
        )}
        <FieldMap source={source} />
        <Timeline source={source} />
        <GroupCards source={source} />
      </div>
    </Panel>
  )
}
