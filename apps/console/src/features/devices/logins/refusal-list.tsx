import type { GatewayRefusal } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { EventLine, EventList } from '../../../shared/ui/event-list.tsx'

interface RefusalListProps {
  readonly refusals: readonly GatewayRefusal[]
  /** Opens the gateway; absent on the page of one gateway. */
  readonly onOpen?: (deviceId: number) => void
}

/** Refused sign-ins and messages of gateways with their reasons and what to do about them. */
export function RefusalList({ refusals, onOpen }: RefusalListProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  return (
    <EventList testId="gateway-refusals">
      {refusals.map(({ id, deviceId, name, user, serial, reason, topic, address, count, lastAt }) => (
        <EventLine
          key={id}
          at={lastAt}
          name={t(`refusal.reason.${reason}`)}
          by={[
            t('refusal.count', { count, shown: format.number(count, 0) }),
            address,
            t('refusal.user', { user: user === '' ? t('refusal.noUser') : user }),
          ].join(' · ')}
          tone="alarm"
        >
          {onOpen &&
            (deviceId === undefined ? (
              <span>{serial}</span>
            ) : (
              <Button type="link" size="small" onClick={() => onOpen(deviceId)}>
                {name === undefined ? serial : `${name} (${serial})`}
              </Button>
            ))}
          {topic !== undefined && <code>{topic}</code>}
          <span>{t(`refusal.advice.${reason}`)}</span>
        </EventLine>
      ))}
    </EventList>
  )
}
