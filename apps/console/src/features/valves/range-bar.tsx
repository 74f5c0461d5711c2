import {
  FieldTimeOutlined,
  LeftOutlined,
  RightOutlined,
  SyncOutlined,
  ZoomInOutlined,
  ZoomOutOutlined,
} from '@ant-design/icons'
import { Button, Popover, Segmented } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toLocalInput } from '../../shared/format/local-input.ts'
import { Badge } from '../../shared/ui/trust-badge.tsx'
import {
  findFixedRange,
  type HistoryRange,
  moveRange,
  type RangeMove,
  type RangePreset,
  rangePresetNames,
  toSpan,
} from './history-range.ts'
import styles from './valves.module.css'

interface RangeBarProps {
  readonly range: HistoryRange
  readonly onRange: (range: HistoryRange) => void
  /** Server's present instant, Unix ms. */
  readonly now: number
}

const moves = [
  ['earlier', LeftOutlined],
  ['out', ZoomOutOutlined],
  ['in', ZoomInOutlined],
  ['later', RightOutlined],
] as const

const moveTexts = {
  earlier: 'history.earlier',
  later: 'history.later',
  in: 'history.zoomIn',
  out: 'history.zoomOut',
} as const satisfies Record<RangeMove, string>

/** Chooses the span of time: presets that follow now, a span of one's own, and steps from there. */
export function RangeBar({ range, onRange, now }: RangeBarProps) {
  const { t } = useTranslation('valves')
  const choice = range.kind === 'last' ? range.preset : ''
  return (
    <div className={styles.rangeBar}>
      <Segmented<RangePreset | ''>
        aria-label={t('history.range')}
        value={choice}
        options={rangePresetNames.map((preset) => ({ value: preset, label: t(`history.preset.${preset}`) }))}
        onChange={(preset) => {
          if (preset !== '') onRange({ kind: 'last', preset })
        }}
      />
      <CustomRange key={`${range.kind}${choice}`} range={range} onRange={onRange} now={now} />
      <span className={styles.moves}>
        {moves.map(([move, Icon]) => (
          <Button
            key={move}
            type="text"
            icon={<Icon />}
            aria-label={t(moveTexts[move])}
            title={t(moveTexts[move])}
            onClick={() => onRange(moveRange(range, move, now))}
          />
        ))}
      </span>
      {range.kind === 'last' ? (
        <Badge tone="good" icon={<SyncOutlined />}>
          {t('history.following')}
        </Badge>
      ) : (
        <Badge tone="muted" icon={<FieldTimeOutlined />}>
          {t('history.standing')}
        </Badge>
      )}
    </div>
  )
}

function CustomRange({ range, onRange, now }: RangeBarProps) {
  const { t } = useTranslation('valves')
  const id = useId()
  const [open, setOpen] = useState(false)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const chosen = findFixedRange(Date.parse(from), Date.parse(to))
  const show = (isOpen: boolean) => {
    setOpen(isOpen)
    if (!isOpen) return
    const span = toSpan(range, now)
    setFrom(toLocalInput(span.from))
    setTo(toLocalInput(span.to))
  }
  return (
    <Popover
      trigger="click"
      open={open}
      onOpenChange={show}
      content={
        <form
          className={styles.custom}
          onSubmit={(event) => {
            event.preventDefault()
            if (!chosen) return
            setOpen(false)
            onRange(chosen)
          }}
        >
          <label htmlFor={`${id}-from`}>{t('history.from')}</label>
          <input
            id={`${id}-from`}
            type="datetime-local"
            step={1}
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
          <label htmlFor={`${id}-to`}>{t('history.to')}</label>
          <input
            id={`${id}-to`}
            type="datetime-local"
            step={1}
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
          <Button type="primary" htmlType="submit" disabled={!chosen}>
            {t('history.apply')}
          </Button>
        </form>
      }
    >
      <Button type={range.kind === 'fixed' ? 'primary' : 'default'}>{t('history.custom')}</Button>
    </Popover>
  )
}
