import type {
  CampaignAbort,
  CampaignDetail,
  CampaignHistoryEvent,
  CampaignMember,
} from '@isotherm/contract/balancing/campaign'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress } from '../../../../shared/format/address.ts'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { toDuration } from './settle-time.ts'

/** Places that are named of many. */
const FEW = 5

interface CampaignTexts {
  readonly duration: (ms: number) => string
  readonly abort: (campaign: Pick<CampaignDetail, 'members'>, abort: CampaignAbort) => string
  /** Why a valve is left out, why its target is not what was asked for, and how its move was judged. */
  readonly notes: (member: CampaignMember) => readonly string[]
  readonly event: (event: CampaignHistoryEvent) => string
}

/** Words for the codes that commands may refuse a wave with. */
const refusals = {
  'entity.stale': 'stale',
  'access.denied': 'denied',
  'command.outside-limits': 'limits',
  'command.head-outside': 'head',
  'command.held': 'held',
  'command.total-too-low': 'total',
} as const

const isRefusal = (code: string): code is keyof typeof refusals => Object.hasOwn(refusals, code)

/** What a campaign says in words, in the language in force. */
export function useCampaignTexts(): CampaignTexts {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  return useMemo(
    () => ({
      duration: (ms) => {
        const { unit, value } = toDuration(ms)
        return t(`campaign.settle.${unit}`, { value: format.number(value, Number.isInteger(value) ? 0 : 1) })
      },
      abort: ({ members }, abort) => {
        switch (abort.kind) {
          case 'unanswered':
            return t('campaign.abort.unanswered', { share: `${format.number(100 * abort.share, 1)}%` })
          case 'head-outside':
            return t('campaign.abort.head-outside', { head: `${format.number(abort.headKpa, 1)} kPa` })
          case 'starved': {
            const ids = new Set(abort.deviceIds)
            const named = members.filter(({ deviceId }) => ids.has(deviceId)).slice(0, FEW)
            const places = named
              .map(({ nestaddr }) => toCompactAddress(nestaddr))
              .join(t('campaign.abort.join'))
            const isAll = named.length === ids.size
            return t('campaign.abort.starved', {
              count: ids.size,
              places: isAll ? places : t('campaign.abort.more', { places }),
            })
          }
          case 'cold-rooms':
            return t('campaign.abort.cold-rooms', { before: abort.before, now: abort.now })
          case 'not-measured':
            return t('campaign.abort.not-measured')
          case 'refused': {
            const { code, params } = abort
            const reason = isRefusal(code)
              ? t(`campaign.abort.reason.${refusals[code]}`)
              : t('campaign.abort.reason.other', { code })
            // Of a plan that was overtaken it may be a valve that was ordered, or another campaign.
            const ordered = members.find(({ deviceName }) => deviceName === params?.by)
            const devices = params?.devices ?? (ordered && toCompactAddress(ordered.nestaddr))
            return t('campaign.abort.refused', {
              reason: devices === undefined ? reason : t('campaign.abort.named', { reason, devices }),
            })
          }
        }
      },
      notes: ({ excluded, limit, verdict }) => [
        ...(excluded === undefined ? [] : [t(`campaign.exclusion.${excluded}`)]),
        ...(limit === undefined ? [] : [t(`campaign.limit.${limit}`)]),
        ...(verdict === undefined || verdict === 'accepted' ? [] : [t(`campaign.verdict.${verdict}`)]),
      ],
      event: (event) => t(`campaign.history.event.${event}`),
    }),
    [t, format],
  )
}
