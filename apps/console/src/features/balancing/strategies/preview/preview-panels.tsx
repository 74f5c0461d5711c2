import type { StrategyPlan, StrategyPreview } from '@isotherm/contract/balancing/strategies'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../../shared/format/numbers.ts'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { Panel } from '../../../../shared/ui/page-frame.tsx'
import { FigureTable } from '../../campaign/figures/figure-table.tsx'
import { MemberPanel } from '../../campaign/members/member-panel.tsx'
import { RoomPanel } from '../../campaign/rooms/room-table.tsx'
import styles from '../strategy.module.css'
import { useStrategyTexts } from '../use-strategy-texts.ts'
import { WeekChanges } from './week-changes.tsx'

interface PreviewPanelsProps {
  readonly preview: StrategyPreview
  readonly plan: StrategyPlan
}

/** Scroll to the result: below a long form it would not be visible. */
const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'start' })

/** Result of a dry run: the effect now, and for a sequence the next seven days. */
export function PreviewPanels({ preview, plan }: PreviewPanelsProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const texts = useStrategyTexts()
  const { would, moves, index, heatWM2, members, week, at } = preview
  return (
    <div className={styles.form} data-testid="preview" ref={scrollIntoView}>
      <Panel
        title={t('strategy.preview.title')}
        extra={<small>{t('strategy.preview.at', { instant: format.instant(at) })}</small>}
      >
        <div className={styles.summary}>
          <p className={styles.would} data-testid="preview-would">
            {t(`strategy.preview.would.${would}`, { moves })}
          </p>
          <p className={styles.hint}>
            {index && <span>{texts.index(index)}</span>}
            {heatWM2 !== undefined && (
              <span>
                {t('strategy.preview.wanted', { heat: withUnit(format.number(heatWM2, 1), 'W/m²') })}
              </span>
            )}
            <span>{t(would === 'within' ? 'strategy.preview.hintWithin' : 'strategy.preview.hint')}</span>
          </p>
          {would === 'slow-trim' && <p className={styles.hint}>{t('strategy.preview.slowTrim')}</p>}
          {plan.kind === 'temperature' && plan.method === 'proportional' && (
            <p className={styles.hint} data-testid="preview-method">
              {t('strategy.preview.proportional')}
            </p>
          )}
        </div>
        <FigureTable
          campaign={{
            ...preview,
            mode: plan,
            state: 'draft',
            valves: members.length,
            excluded: members.filter(({ excluded }) => excluded !== undefined).length,
          }}
        />
      </Panel>
      {week && plan.kind === 'sequence' && <WeekChanges week={week} groups={plan.groups} />}
      <RoomPanel campaign={preview} />
      <MemberPanel campaign={preview} />
    </div>
  )
}
