import {
  FieldTimeOutlined,
  LeftOutlined,
  RightOutlined,
  SyncOutlined,
  ZoomInOutlined,
  ZoomOutOutlined,
} from '@ant-design/icons'
import { Button, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { SpanPicker } from '../../../shared/inputs/span-picker.tsx'
import { useConsoleSettings } from '../../../shared/installation/console-settings.ts'
import { Badge } from '../../../shared/ui/badge.tsx'
import {
  findFixedRange,
  type HistoryRange,
  moveRange,
  type RangeMove,
  type RangePreset,
  rangePresetNames,
  toSpan,
} from '../curves/history-range.ts'
import { toSeasonSpan } from '../curves/season-span.ts'
import styles from './history.module.css'

interface RangeBarProps {
  readonly range: HistoryRange
  readonly onRange: (range: HistoryRange) => void
  /** Current time of the server, Unix ms. */
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

/** Chooses a range that ends now. */
export function RangePresets({ range, onRange }: Omit<RangeBarProps, 'now'>) {
  const { t } = useTranslation('history')
  return (
    <Segmented<RangePreset | ''>
      className={styles.presets ?? ''}
      aria-label={t('history.range')}
      value={range.kind === 'last' ? range.preset : ''}
      options={rangePresetNames.map((preset) => ({ value: preset, label: t(`history.preset.${preset}`) }))}
      onChange={(preset) => {
        if (preset !== '') onRange({ kind: 'last', preset })
      }}
    />
  )
}

/** Chooses a custom span, the heating season, or moves and zooms the shown range. */
export function RangeSteps({ range, onRange, now }: RangeBarProps) {
  const { t } = useTranslation('history')
  const settings = useConsoleSettings()
  const showSeason = () => {
    const { from, to } = toSeasonSpan(settings, now)
    const season = findFixedRange(from, to)
    if (season) onRange(season)
  }
  return (
    <div className={styles.rangeSteps}>
      <SpanPicker
        isInForce={range.kind === 'fixed'}
        getStart={() => toSpan(range, now)}
        findRange={findFixedRange}
        onRange={onRange}
      />
      <Button data-testid="season-range" title={t('history.seasonHint')} onClick={showSeason}>
        {t('history.season')}
      </Button>
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
          {t('history.fixed')}
        </Badge>
      )}
    </div>
  )
}
