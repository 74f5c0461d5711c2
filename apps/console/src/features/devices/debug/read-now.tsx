import { SyncOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import {
  getReadRequest,
  type ReadRequestState,
  requestRead,
} from '@isotherm/contract/endpoints/devices/read-requests'
import { SECOND_MS } from '@isotherm/kernel/durations'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from './debug.module.css'

const POLL_MS = SECOND_MS

const toAlertType = (outcome: ReadRequestState['outcome']): 'success' | 'info' | 'warning' => {
  if (outcome === 'answered') return 'success'
  return outcome === 'waiting' ? 'info' : 'warning'
}

/** Asks a device for its present values, or a concentrator for a sign of life, and shows how long the answers took. */
export function ReadNow({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const client = useQueryClient()
  const queryKey = ['devices', 'read-request', device.id]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getReadRequest, { deviceId: device.id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.request?.outcome === 'waiting' ? POLL_MS : false),
  })
  const asking = useMutation({
    mutationFn: () => call(requestRead, { deviceId: device.id }),
    onSuccess: (request) => client.setQueryData(queryKey, { request }),
  })
  const request = query.data?.request
  const isWaiting = request?.outcome === 'waiting'
  return (
    <div className={styles.read}>
      <Button
        icon={<SyncOutlined />}
        loading={asking.isPending || isWaiting}
        data-testid="read-now"
        onClick={() => asking.mutate()}
      >
        {device.kind === 'concentrator' ? t('read.ping') : t('read.now')}
      </Button>
      {asking.error && <Alert type="error" showIcon title={toFailureText(asking.error)} />}
      {request && <ReadResult request={request} device={device} />}
    </div>
  )
}

interface ReadResultProps {
  readonly request: ReadRequestState
  readonly device: Device
}

function ReadResult({ request, device }: ReadResultProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const { outcome, requestedAt, gatewayAt, endedAt, code, detail } = request
  const after = (at: number) => ({ seconds: format.number((at - requestedAt) / SECOND_MS, 1) })
  const isOwnGateway = device.concentrator === undefined
  return (
    <Alert
      type={toAlertType(outcome)}
      showIcon
      data-testid="read-result"
      data-outcome={outcome}
      data-request={request.id}
      title={
        outcome === 'answered'
          ? t('read.outcome.answered', after(endedAt ?? requestedAt))
          : t(`read.outcome.${outcome}`, { code: code ?? '—', detail: detail || '—' })
      }
      description={
        <>
          {gatewayAt !== undefined && !isOwnGateway && <p>{t('read.gateway', after(gatewayAt))}</p>}
          <p className={styles.meta}>
            {t('read.requested', { actor: request.actor, time: format.instant(requestedAt) })}
          </p>
        </>
      }
    />
  )
}
