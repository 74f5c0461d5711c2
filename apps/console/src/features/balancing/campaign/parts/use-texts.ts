import type {
  CampaignAbort,
  CampaignDetail,
  CampaignHistoryEvent,
  CampaignMember,
} from '@isotherm/contract/balancing/campaign'
import { toAbortText } from '@isotherm/contract/locales/abort-text'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress } from '../../../../shared/format/address.ts'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { toDuration } from './settle-time.ts'

/** Maximum of named places. */
const MAX_NAMED = 5

interface CampaignTexts {
  readonly duration: (ms: number) => string
  readonly abort: (campaign: Pick<CampaignDetail, 'members'>, abort: CampaignAbort) => string
  /** Reason of an exclusion, of a changed target, and the verdict on the move. */
  readonly notes: (member: CampaignMember) => readonly string[]
  readonly event: (event: CampaignHistoryEvent) => string
}

/** Text keys of the codes with which a wave can be refused. */
const refusals = {
  'campaign.outdated': 'stale',
  'campaign.overtaken': 'stale',
  'entity.stale': 'stale',
  'access.denied': 'denied',
  'command.outside-limits': 'limits',
  'command.head-outside': 'head',
  'command.held': 'held',
  'command.total-too-low': 'total',
} as const

const isRefusal = (code: string): code is keyof typeof refusals => Object.hasOwn(refusals, code)

/** Texts of a campaign in the current language. */
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
        return toAbortText(t(`campaign.abort.because.${abort.kind}`), abort, {
          number: (value) => format.number(value, Number.isInteger(value) ? 0 : 1),
          devices(deviceIds) {
            const ids = new Set(deviceIds)
            const named = members.filter(({ deviceId }) => ids.has(deviceId)).slice(0, MAX_NAMED)
            const places = named
              .map(({ nestaddr }) => toCompactAddress(nestaddr))
              .join(t('campaign.abort.join'))
            return named.length === ids.size ? places : t('campaign.abort.more', { places })
          },
          refusal({ code, params }) {
            const reason = isRefusal(code)
              ? t(`campaign.abort.reason.${refusals[code]}`)
              : t('campaign.abort.reason.other', { code })
            // An outdated plan names the valve with another command, or another campaign.
            const ordered = members.find(({ deviceName }) => deviceName === params?.by)
            const devices = params?.devices ?? (ordered && toCompactAddress(ordered.nestaddr))
            return devices === undefined ? reason : t('campaign.abort.named', { reason, devices })
          },
        })
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
