import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  ExclamationCircleOutlined,
  QuestionCircleOutlined,
  ToolOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format/use-format.ts'
import { type QualityFlag, qualityFlags } from './quality-flags.ts'

export type Tone = 'good' | 'caution' | 'alarm' | 'muted' | 'accent'

/** Icon and tone of a state. */
interface BadgeLook {
  readonly tone: Tone
  readonly icon: ReactNode
}

/** Icon and tone by state. */
export type BadgeLooks<State extends string> = Readonly<Record<State, BadgeLook>>

interface BadgeProps extends BadgeLook {
  readonly children: ReactNode
  readonly title?: string
}

/** A state as text with an icon. The colour gives no additional information. */
export function Badge(props: BadgeProps): ReactNode {
  return (
    <span className={`badge badge-${props.tone}`} title={props.title}>
      {props.icon}
      <span>{props.children}</span>
    </span>
  )
}

export interface AgeBadgeProps {
  /** Instant of the newest reading, Unix ms; absent without one. */
  readonly ts: number | undefined
  readonly stale: boolean
  /** Current time of the server (useNow). */
  readonly now: number
}

/** Age of a reading: plain text while fresh, icon and text when stale. */
export function AgeBadge({ ts, stale, now }: AgeBadgeProps): ReactNode {
  const { t } = useTranslation('common')
  const format = useFormat()
  if (ts === undefined) {
    return (
      <Badge tone="muted" icon={<QuestionCircleOutlined />}>
        {t('state.neverReported')}
      </Badge>
    )
  }
  const age = format.age(ts, now)
  if (!stale) {
    return (
      <span className="age" title={format.instant(ts)}>
        {age}
      </span>
    )
  }
  return (
    <Badge
      tone="caution"
      icon={<ClockCircleOutlined />}
      title={`${t('state.stale')} · ${format.instant(ts)}`}
    >
      {age}
    </Badge>
  )
}

const icons: Readonly<Record<QualityFlag, ReactNode>> = {
  stale: <ClockCircleOutlined />,
  sensorFault: <WarningOutlined />,
  outOfRange: <ExclamationCircleOutlined />,
  implausible: <QuestionCircleOutlined />,
  clockCorrected: <ClockCircleOutlined />,
  substituted: <ToolOutlined />,
  maintenance: <ToolOutlined />,
}

const tones: Readonly<Record<QualityFlag, Tone>> = {
  stale: 'caution',
  sensorFault: 'alarm',
  outOfRange: 'alarm',
  implausible: 'caution',
  clockCorrected: 'muted',
  substituted: 'caution',
  maintenance: 'muted',
}

/** The most severe quality flag of a reading, with the others in the title; nothing for a good reading. */
export function QualityBadge({ quality }: { readonly quality: number }): ReactNode {
  const { t } = useTranslation('common')
  const flags = qualityFlags(quality)
  const gravest = flags[0]
  if (!gravest) {
    return (
      <Badge tone="good" icon={<CheckCircleOutlined />}>
        {t('state.fresh')}
      </Badge>
    )
  }
  return (
    <Badge
      tone={tones[gravest]}
      icon={icons[gravest]}
      title={flags.map((flag) => t(`quality.${flag}`)).join(' · ')}
    >
      {t(`quality.${gravest}`)}
    </Badge>
  )
}
