import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../../shared/format/numbers.ts'
import { useFormat } from '../../../../shared/format/use-format.ts'
import styles from '../parts/campaign.module.css'
import { ScrollBox } from '../parts/scroll-box.tsx'
import { useCampaignTexts } from '../parts/use-texts.ts'
import { type FigureName, type FigureRow, isUndone, toFigureRows, toFigureUnit } from './figure-rows.ts'
import { WeatherNote } from './weather-note.tsx'

/** Source of the figures: a campaign or a dry run. */
type Figured = Pick<
  CampaignDetail,
  'common' | 'excluded' | 'indices' | 'moves' | 'settleMs' | 'state' | 'station' | 'valves'
> &
  Partial<Pick<CampaignDetail, 'movesMade'>> & { readonly mode: Pick<CampaignDetail['mode'], 'kind'> }

/** Table of indices and station figures: before, predicted, and after once measured. */
export function FigureTable({ campaign }: { readonly campaign: Figured }) {
  const { t } = useTranslation('balancing')
  const rows = toFigureRows(campaign)
  const undone = isUndone(campaign)
  const hasAfter = rows.some(({ after }) => after !== undefined)
  return (
    <ScrollBox label={t('campaign.figures.title')}>
      <table className={`${styles.table} ${styles.folded}`} data-testid="campaign-figures">
        <thead>
          <tr>
            <th scope="col" data-own-line>
              {t('campaign.figures.name')}
            </th>
            <th scope="col" className={styles.number}>
              {t('campaign.figures.before')}
            </th>
            <th scope="col" className={styles.number}>
              {t('campaign.figures.expected')}
            </th>
            {hasAfter && (
              <th scope="col" className={styles.number}>
                {t(undone ? 'campaign.figures.undone' : 'campaign.figures.after')}
              </th>
            )}
            <th scope="col" className={styles.number}>
              {t('campaign.figures.change')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Figures key={row.name} row={row} hasAfter={hasAfter} undone={undone} />
          ))}
        </tbody>
      </table>
      <WeatherNote campaign={campaign} />
      <PlanFacts campaign={campaign} />
    </ScrollBox>
  )
}

const stationNames = ['flow', 'head', 'pump', 'supply', 'return', 'outdoor'] as const
type StationName = (typeof stationNames)[number]
const isStationName = (name: FigureName): name is StationName => stationNames.some((known) => known === name)

interface FiguresProps {
  readonly row: FigureRow
  readonly hasAfter: boolean
  /** The result is obsolete, so it is shown without a tone. */
  readonly undone: boolean
}

function Figures({ row, hasAfter, undone }: FiguresProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { name, before, expected, after, corrected, change } = row
  const better = undone ? undefined : row.better
  const { unit, decimals } = toFigureUnit(name)
  const say = (value: number | undefined) =>
    value === undefined ? '—' : withUnit(format.number(value, decimals), unit)
  const isSame = change === undefined || Math.abs(change) < 0.5 * 10 ** -decimals
  return (
    <tr data-testid={`figure-${name}`}>
      <th scope="row" data-own-line>
        {isStationName(name) ? t(`campaign.figures.${name}`) : t(`index.${name}`)}
      </th>
      <td className={styles.number} data-column="before">
        {say(before)}
      </td>
      <td className={styles.number} data-column="expected">
        {say(expected)}
        <Bounds row={row} say={say} />
      </td>
      {hasAfter && (
        <td className={styles.number} data-column="after">
          {say(after)}
          {corrected !== undefined && (
            <small className={styles.worst}>
              {t('campaign.figures.corrected', { value: say(corrected) })}
            </small>
          )}
        </td>
      )}
      <td
        className={styles.number}
        data-tone={better === undefined ? undefined : better ? 'good' : 'alarm'}
        title={better === undefined ? undefined : t(`campaign.figures.${better ? 'better' : 'worse'}`)}
      >
        {isSame ? (
          '—'
        ) : (
          <>
            {change < 0 ? <ArrowDownOutlined aria-hidden /> : <ArrowUpOutlined aria-hidden />}{' '}
            {change < 0 ? '−' : '+'}
            {format.number(Math.abs(change), decimals)}
          </>
        )}
      </td>
    </tr>
  )
}

interface BoundsProps {
  readonly row: FigureRow
  readonly say: (value: number | undefined) => string
}

/** P10 and P90 of a prediction, or the bound that is known. */
function Bounds({ row: { name, best, worst }, say }: BoundsProps) {
  const { t } = useTranslation('balancing')
  if (worst === undefined) return null
  const [low, high] = name === 'withinOneK' ? [worst, best] : [best, worst]
  const text =
    low !== undefined && high !== undefined
      ? t('campaign.figures.range', { low: say(low), high: say(high) })
      : t(name === 'withinOneK' ? 'campaign.figures.atLeast' : 'campaign.figures.atMost', {
          value: say(worst),
        })
  return <small className={styles.worst}>{text}</small>
}

/** Facts of the plan: target, number of valves, settling time, advised head, loss of the exchanger. */
function PlanFacts({ campaign }: { readonly campaign: Figured }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const texts = useCampaignTexts()
  const { common, mode, moves, movesMade = 0, valves, excluded, settleMs, station } = campaign
  return (
    <dl className={styles.plan}>
      {common !== undefined && (
        <div>
          <dt>{t('campaign.figures.common')}</dt>
          <dd>
            {mode.kind === 'temperature'
              ? format.metric('temp.return', common)
              : `× ${format.number(common, 2)}`}
          </dd>
        </div>
      )}
      <div>
        <dt>{t('campaign.figures.moves')}</dt>
        <dd data-testid="campaign-moves">
          {format.number(moves, 0)} / {format.number(valves, 0)}
        </dd>
      </div>
      {movesMade > 0 && (
        <div title={t('campaign.figures.movesMadeHint')}>
          <dt>{t('campaign.figures.movesMade')}</dt>
          <dd data-testid="campaign-moves-made">{format.number(movesMade, 0)}</dd>
        </div>
      )}
      <div>
        <dt>{t('campaign.figures.excluded')}</dt>
        <dd>{format.number(excluded, 0)}</dd>
      </div>
      {settleMs !== undefined && (
        <div>
          <dt>{t('campaign.figures.settle')}</dt>
          <dd>{texts.duration(settleMs)}</dd>
        </div>
      )}
      {station.pump !== undefined && (
        <div>
          <dt>{t('campaign.figures.pumpSet')}</dt>
          <dd data-testid="campaign-pump">
            {format.metric('pump.target', station.pump.fromKpa)} →{' '}
            {format.metric('pump.target', station.pump.toKpa)}
          </dd>
        </div>
      )}
      {station.pumpStays !== undefined && (
        <div>
          <dt>{t('campaign.figures.pumpSet')}</dt>
          <dd data-testid="campaign-pump">{t(`campaign.figures.pumpStays.${station.pumpStays}`)}</dd>
        </div>
      )}
      {station.advisedHeadKpa !== undefined && (
        <div title={t('campaign.figures.advisedHint')}>
          <dt>{t('campaign.figures.advised')}</dt>
          <dd>{withUnit(format.number(station.advisedHeadKpa, 1), 'kPa')}</dd>
        </div>
      )}
      {station.exchanger !== undefined && (
        <div>
          <dt>{t('campaign.figures.exchanger')}</dt>
          <dd data-testid="campaign-exchanger">
            {format.number(station.exchanger.kpa, 0)} ±{' '}
            {withUnit(format.number(station.exchanger.errorKpa, 0), 'kPa')}
            <small className={styles.worst}>
              {t(`campaign.figures.exchangerFrom.${station.exchanger.from}`)}
            </small>
          </dd>
        </div>
      )}
    </dl>
  )
}
