import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { useQuery } from '@tanstack/react-query'
import { type PointerEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { Answer } from '../../../../shared/ui/answer.tsx'
import { findNearest, toRuns } from '../../trend-points.ts'
import { campaignTrendQuery } from '../parts/campaign-queries.ts'
import { useCampaignTexts } from '../parts/use-texts.ts'
import styles from './trend.module.css'
import { isLate, type TrendPoint, toLabelLines, toPlace, toTrendFrame, toTrendPoints } from './trend-curve.ts'

/** Campaign states that are marked on the curve. */
const marked: ReadonlySet<string> = new Set([
  'approve',
  'settle',
  'verified',
  'abort',
  'trim',
  'rollback',
  'returned',
])

/** Height of a label line above the plot, px. */
const LINE_PX = 16

/** Standard deviation of return temperatures around a campaign, with its prediction and events. */
export function TrendChart({ campaign }: { readonly campaign: CampaignDetail }) {
  const trend = useQuery(campaignTrendQuery(campaign))
  return (
    <Answer query={trend}>
      {({ span, points }) => (
        <Curve campaign={campaign} span={span} points={toTrendPoints({ points }, span)} />
      )}
    </Answer>
  )
}

interface CurveProps {
  readonly campaign: CampaignDetail
  readonly span: { readonly from: number; readonly to: number }
  readonly points: readonly TrendPoint[]
}

function Curve({ campaign, span, points }: CurveProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const texts = useCampaignTexts()
  const [shown, setShown] = useState<TrendPoint>()
  const expectedK = campaign.indices.expected.sigmaReturnK
  const known = expectedK === undefined ? [] : [expectedK]
  const frame = toTrendFrame(span, [...known, ...points.map(({ sigmaK }) => sigmaK)])
  const sayK = (value: number | undefined) => `${format.number(value, 2)} K`
  const at = (instant: number, sigmaK = 0) => toPlace({ at: instant, sigmaK }, frame)
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return <p className={styles.faint}>{t('campaign.trend.none')}</p>
  const events = campaign.history.filter(
    ({ at: instant, event }) => marked.has(event) && instant >= span.from && instant < span.to,
  )
  const lines = toLabelLines(events.map((event) => at(event.at).x))
  const wordsPx = LINE_PX * Math.max(0, ...lines.map((line) => line + 1))
  const toTop = (index: number): number => LINE_PX * (lines[index] ?? 0) - wordsPx
  const look = ({ clientX, currentTarget }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect()
    setShown(findNearest(points, span.from + ((clientX - box.left) / box.width) * (span.to - span.from)))
  }
  const pointed = shown ?? last
  return (
    <figure className={styles.trend} style={{ paddingBlockStart: wordsPx }}>
      <div className={styles.axis} aria-hidden>
        {frame.ticksK.map((tickK) => (
          <span key={tickK} style={{ top: `${at(span.from, tickK).y}%` }}>
            {format.number(tickK, tickK % 1 === 0 ? 0 : 1)}
          </span>
        ))}
      </div>
      <div className={styles.plot} onPointerMove={look} onPointerLeave={() => setShown(undefined)}>
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={t('campaign.trend.label', { from: sayK(first.sigmaK), to: sayK(last.sigmaK) })}
        >
          {frame.ticksK.map((tickK) => (
            <line
              key={tickK}
              className={styles.grid}
              x1={0}
              x2={100}
              y1={at(span.from, tickK).y}
              y2={at(span.from, tickK).y}
            />
          ))}
          {events.map(({ at: instant, event }) => (
            <line
              key={`${event}${instant}`}
              className={styles.mark}
              x1={at(instant).x}
              x2={at(instant).x}
              y1={0}
              y2={100}
            />
          ))}
          {expectedK !== undefined && (
            <line
              className={styles.expected}
              x1={0}
              x2={100}
              y1={at(span.from, expectedK).y}
              y2={at(span.from, expectedK).y}
            />
          )}
          {toRuns(points).map((run) => (
            <polyline
              key={run[0]?.at}
              className={styles.curve}
              points={run
                .map((point) => toPlace(point, frame))
                .map(({ x, y }) => `${x},${y}`)
                .join(' ')}
            />
          ))}
        </svg>
        <i
          className={styles.dot}
          style={{ left: `${toPlace(pointed, frame).x}%`, top: `${toPlace(pointed, frame).y}%` }}
        />
        {events.map(({ at: instant, event }, index) => (
          <i
            key={`${event}${instant}`}
            className={styles.lead}
            style={{ left: `${at(instant).x}%`, top: toTop(index), height: -toTop(index) }}
          />
        ))}
        {events.map(({ at: instant, event }, index) => (
          <small
            key={`${event}${instant}`}
            style={{ left: `${at(instant).x}%`, top: toTop(index), lineHeight: `${LINE_PX}px` }}
            data-late={isLate(at(instant).x) || undefined}
          >
            {texts.event(event)}
          </small>
        ))}
      </div>
      <figcaption>
        <span>{format.instant(span.from)}</span>
        <span>
          {t('campaign.trend.point', { instant: format.time(pointed.at), value: sayK(pointed.sigmaK) })}
          {expectedK !== undefined && ` · ${t('campaign.trend.expected', { value: sayK(expectedK) })}`}
        </span>
        <span>{format.instant(span.to)}</span>
      </figcaption>
    </figure>
  )
}
