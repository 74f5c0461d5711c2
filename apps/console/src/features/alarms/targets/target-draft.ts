import type { AlarmKind, AlarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmTarget } from '@isotherm/contract/alarms/alarms'
import {
  type DutyTimes,
  isAddressOf,
  isSecretOf,
  type NoticeChannel,
  type NoticeLanguage,
  type ReportTimes,
} from '@isotherm/contract/alarms/notice-channels'
import { addAlarmTarget } from '@isotherm/contract/endpoints/monitoring/alarm-rules'

/** Form values of a receiver of alarms. */
export interface TargetDraft {
  readonly name: string
  readonly channel: NoticeChannel
  readonly language: NoticeLanguage
  /** A URL, or telephone numbers or mail addresses separated by commas. */
  readonly url: string
  readonly severities: readonly AlarmSeverity[]
  readonly kinds: readonly AlarmKind[]
  readonly afterMin: number
  readonly duty: DutyTimes | undefined
  readonly report: ReportTimes | undefined
  readonly enabled: boolean
  /** Empty keeps the stored secret. */
  readonly secret: string
}

/** Random bytes of a signing secret. */
const SECRET_BYTES = 24
/** A night shift on every day, as a start. */
export const firstDuty: DutyTimes = { hourFrom: 18, hourTo: 8, weekdays: [1, 2, 3, 4, 5, 6, 7] }

/** Monday morning, as a start. */
export const firstReport: ReportTimes = { every: 'week', weekday: 1, hour: 8, isOnly: false }

/** A new random signing secret, in hex. */
export const newSecret = (): string =>
  [...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/** Channels of lists instead of a URL, with the scheme of their address. */
const schemes: Partial<Record<NoticeChannel, string>> = { sms: 'sms:', mail: 'mailto:' }

/** Channels that sign with a secret. */
export const hasSecret = (channel: NoticeChannel): boolean => isSecretOf(channel, 'x'.repeat(16))

/** The address for the server. People separate numbers and addresses in different ways. */
export function toAddress({ channel, url }: Pick<TargetDraft, 'channel' | 'url'>): string {
  const scheme = schemes[channel]
  if (scheme === undefined) return url.trim()
  return (
    scheme +
    url
      .split(/[\s,;，；、]+/)
      .filter((part) => part !== '')
      .join(',')
  )
}

/** Addresses of a stored receiver for people. */
export function toShownAddress({ channel, url }: Pick<AlarmTarget, 'channel' | 'url'>): string {
  const scheme = schemes[channel]
  return scheme === undefined ? url : url.slice(scheme.length).replaceAll(',', ', ')
}

/** Form values of a stored receiver without its secret, or of a new one with a new secret. */
export const toTargetDraft = (target: AlarmTarget | undefined, secret: string): TargetDraft =>
  target
    ? {
        name: target.name,
        channel: target.channel,
        language: target.language,
        url: toShownAddress(target),
        afterMin: target.afterMin,
        duty: target.duty,
        report: target.report,
        enabled: target.enabled,
        secret: '',
        severities: target.severities,
        kinds: target.kinds,
      }
    : {
        name: '',
        channel: 'webhook',
        language: 'zh',
        url: '',
        severities: [],
        kinds: [],
        afterMin: 0,
        duty: undefined,
        report: undefined,
        enabled: true,
        secret,
      }

export type TargetField = 'name' | 'url' | 'secret' | 'duty'

const { name, url } = addAlarmTarget.input.shape

/** The fields that the server would refuse. */
export function listFaults(draft: TargetDraft, isNew: boolean): readonly TargetField[] {
  const { channel, secret, duty } = draft
  const address = toAddress(draft)
  const isGoodAddress = url.safeParse(address).success && isAddressOf(channel, address)
  const mustHaveSecret = isNew || secret !== ''
  return [
    ...(name.safeParse(draft.name).success ? [] : (['name'] as const)),
    ...(isGoodAddress ? [] : (['url'] as const)),
    ...(!mustHaveSecret || isSecretOf(channel, secret) ? [] : (['secret'] as const)),
    ...(duty && duty.weekdays.length === 0 ? (['duty'] as const) : []),
  ]
}
