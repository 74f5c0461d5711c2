import type { SequenceChange, SequenceGroup, StrategyPreview } from '@isotherm/contract/balancing/strategies'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../../shared/format/numbers.ts'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { FactList } from '../../../../shared/ui/fact-list.tsx'
import { Panel } from '../../../../shared/ui/page-frame.tsx'
import campaignStyles from '../../campaign/parts/campaign.module.css'
import { ScrollBox } from '../../campaign/parts/scroll-box.tsx'
import styles from '../strategy.module.css'
import { toLevelFill, useLevelText } from '../week/level-format.ts'

/** Number of changes shown at first, about two days. */
const FIRST_SHOWN = 12
/** Maximum of groups side by side on a phone; more scroll. */
const MAX_FOLDED = 2

interface WeekChangesProps {
  readonly week: NonNullable<StrategyPreview['week']>
  readonly groups: readonly SequenceGroup[]
}

/** Level changes of a sequence in the next seven days, with the required head and flow. */
export function WeekChanges({ week, groups }: WeekChangesProps) {
  const { t } = useTranslation('balancing')
  const [isAll, setAll] = useState(false)
  const { changes, timeZone, pumpStays } = week
  const shown = isAll ? changes : changes.slice(0, FIRST_SHOWN)
  const isPumpSet = pumpStays === undefined
  const toHead = ({ headKpa, advisedHeadKpa }: SequenceChange) => (isPumpSet ? headKpa : advisedHeadKpa)
  const hasHead = changes.some((change) => toHead(change) !== undefined)
  const hasFlow = changes.some(({ flowM3H }) => flowM3H !== undefined)
  return (
    <Panel title={t('strategy.preview.week')}>
      <div className={styles.plan}>
        <p className={styles.hint}>{t('strategy.preview.weekHint', { timeZone })}</p>
        {!isPumpSet && hasHead && (
          <p className={styles.hint} data-testid="preview-pump-stays">
            {t('strategy.preview.headAdvised', { why: t(`campaign.figures.pumpStays.${pumpStays}`) })}
          </p>
        )}
        <GroupsNow week={week} groups={groups} />
        <div className={styles.changes}>
          <ScrollBox label={t('strategy.preview.week')}>
            <table
              className={`${campaignStyles.table} ${groups.length <= MAX_FOLDED ? campaignStyles.folded : ''}`}
              data-testid="preview-week"
            >
              <thead>
                <tr>
                  <th scope="col" data-own-line>
                    {t('strategy.preview.change')}
                  </th>
                  {groups.map(({ name, nodes }) => (
                    <th key={nodes[0]} scope="col">
                      {name}
                    </th>
                  ))}
                  {hasFlow && (
                    <th scope="col" className={campaignStyles.number}>
                      {t('strategy.preview.flow')}
                    </th>
                  )}
                  {hasHead && (
                    <th scope="col" className={campaignStyles.number}>
                      {t(isPumpSet ? 'strategy.preview.headSet' : 'strategy.preview.head')}
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {shown.map((change, index) => (
                  <ChangeRow
                    key={change.at}
                    change={change}
                    groups={groups}
                    isNow={index === 0}
                    timeZone={timeZone}
                    hasFlow={hasFlow}
                    hasHead={hasHead}
                    head={toHead(change)}
                  />
                ))}
              </tbody>
            </table>
          </ScrollBox>
        </div>
        {!isAll && changes.length > FIRST_SHOWN && (
          <Button type="link" size="small" onClick={() => setAll(true)}>
            {t('strategy.preview.more', { count: changes.length })}
          </Button>
        )}
      </div>
    </Panel>
  )
}

interface ChangeRowProps {
  readonly change: SequenceChange
  readonly groups: readonly SequenceGroup[]
  /** Whether it is the present level. */
  readonly isNow: boolean
  readonly timeZone: string
  readonly hasFlow: boolean
  readonly hasHead: boolean
  /** Head setpoint or advised head, kPa. */
  readonly head: number | undefined
}

function ChangeRow({ change, groups, isNow, timeZone, hasFlow, hasHead, head }: ChangeRowProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const toLevelText = useLevelText()
  const { at, levels, preheated, flowM3H } = change
  return (
    <tr>
      <th scope="row" data-own-line>
        {isNow ? t('strategy.preview.now') : format.moment(at, timeZone)}
      </th>
      {groups.map(({ nodes }, i) => {
        const level = levels[i]
        const early = preheated.find(({ group }) => group === i)
        return (
          <td key={nodes[0]}>
            {level && (
              <span className={styles.level} style={{ backgroundColor: toLevelFill(level) }}>
                {toLevelText(level)}
              </span>
            )}
            {early && (
              <small className={styles.pre}>
                {t('strategy.preview.preheated', { instant: format.moment(early.slotAt, timeZone) })}
              </small>
            )}
          </td>
        )
      })}
      {hasFlow && (
        <td className={campaignStyles.number}>
          {flowM3H === undefined ? '—' : withUnit(format.number(flowM3H, 1), 'm³/h')}
        </td>
      )}
      {hasHead && (
        <td className={campaignStyles.number}>
          {head === undefined ? '—' : withUnit(format.number(head, 1), 'kPa')}
        </td>
      )}
    </tr>
  )
}

type GroupNow = NonNullable<StrategyPreview['week']>['groups'][number]

/** Text of the preheating parameters; undefined without preheating. */
function useTauText(): (group: Omit<GroupNow, 'valves' | 'roomC'>) => string | undefined {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  return ({ timeConstantH, timeConstantBy, timeConstantLowH, timeConstantHighH }) => {
    if (timeConstantH === undefined || timeConstantBy === undefined) return undefined
    const by = t(`strategy.preview.by.${timeConstantBy}`)
    const hours = format.number(timeConstantH, 0)
    if (timeConstantLowH === undefined || timeConstantHighH === undefined)
      return t('strategy.preview.tau', { hours, by })
    const [low, high] = [format.number(timeConstantLowH, 0), format.number(timeConstantHighH, 0)]
    return t('strategy.preview.tauWithin', { hours, low, high, by })
  }
}

/** Size and present room temperature of each group. */
function GroupsNow({ week, groups }: WeekChangesProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const toTauText = useTauText()
  return (
    <FactList
      label={t('strategy.preview.groups')}
      className={styles.facts}
      facts={week.groups.map(({ valves, roomC, ...constant }, i) => [
        groups[i]?.name ?? '',
        [
          t('strategy.preview.valves', { count: valves }),
          roomC !== undefined &&
            t('strategy.preview.room', { room: withUnit(format.number(roomC, 1), '°C') }),
          toTauText(constant),
        ]
          .filter(Boolean)
          .join(' · '),
      ])}
    />
  )
}
