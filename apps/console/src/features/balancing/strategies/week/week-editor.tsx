import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddSlot } from './add-slot.tsx'
import { SlotBar } from './slot-bar.tsx'
import styles from './week.module.css'
import { WeekGrid } from './week-grid.tsx'
import { WeekList } from './week-list.tsx'
import { findSlot, type Week, type WeekSlot } from './week-slots.ts'

interface WeekEditorProps {
  readonly week: Week<SlotLevel>
  /** Level outside the slots. */
  readonly between: SlotLevel
  /** Absent if read-only. */
  readonly onWeek?: ((week: Week<SlotLevel>) => void) | undefined
}

/** Editor of a week: slots on a grid or by fields, with a list below. */
export function WeekEditor({ week, between, onWeek }: WeekEditorProps) {
  const { t } = useTranslation('balancing')
  const [chosenKey, choose] = useState<Pick<WeekSlot<SlotLevel>, 'day' | 'fromMinute'>>()
  const [brush, setBrush] = useState<SlotLevel>(() => week[0]?.level ?? startBrush(between))
  const chosen = findSlot(week, chosenKey)
  // New slots use the kind of the existing levels.
  const level = brush.kind === between.kind ? brush : startBrush(between)
  return (
    <div className={styles.editor} data-testid="week-editor">
      <WeekGrid
        week={week}
        between={between}
        level={level}
        chosen={chosen}
        onChoose={choose}
        onWeek={onWeek}
      />
      {onWeek && (
        <>
          <p className={styles.hint}>{t('week.hint')}</p>
          {chosen ? (
            <SlotBar
              week={week}
              slot={chosen}
              onChange={(change) => {
                onWeek(change.week)
                choose(change.slot)
                setBrush(change.slot.level)
              }}
              onRemove={(rest) => {
                onWeek(rest)
                choose(undefined)
              }}
              onClose={() => choose(undefined)}
            />
          ) : (
            <AddSlot week={week} level={level} onLevel={setBrush} onWeek={onWeek} />
          )}
        </>
      )}
      <WeekList week={week} between={between} chosen={chosen} onChoose={onWeek && choose} />
    </div>
  )
}

/** Default level of a new slot: full flow, or a warm room. */
const startBrush = ({ kind }: SlotLevel): SlotLevel =>
  kind === 'flow' ? { kind, share: 1 } : { kind, roomC: 20 }
