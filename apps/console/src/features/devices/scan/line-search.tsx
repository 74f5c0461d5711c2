import { RadarChartOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import {
  getLineScans,
  type LineScan,
  startLineScan,
  stopLineScan,
} from '@isotherm/contract/endpoints/devices/line-scans'
import { scanMethod } from '@isotherm/contract/mqtt'
import { SECOND_MS } from '@isotherm/kernel/durations'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { linesQuery } from '../config/lines-query.ts'
import styles from './scan.module.css'
import { isGoingOn, ScanState } from './scan-state.tsx'

const POLL_MS = 2 * SECOND_MS

const scansQuery = (deviceId: number) => ({ queryKey: ['devices', 'line-scans', deviceId] })

/** Searches a bus line of a gateway for devices; what is found appears in the list of unregistered devices. */
export function LineSearch({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const client = useQueryClient()
  const config = useQuery(linesQuery(device)).data?.config
  const lines = config?.lines.filter(({ driver }) => driver === 'dtu-tcp' || driver === 'dtu-mqtt') ?? []
  const [chosen, setLine] = useState<string>()
  const [method, setMethod] = useState(scanMethod.enum['mbus-secondary'] as LineScan['method'])
  const { queryKey } = scansQuery(device.id)
  const scans = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getLineScans, { deviceId: device.id }, { signal, quiet: true }),
    enabled: lines.length > 0,
    refetchInterval: ({ state }) => (state.data?.datalist.some(isGoingOn) ? POLL_MS : false),
  })
  const refresh = () => client.invalidateQueries({ queryKey })
  const starting = useMutation({
    mutationFn: (line: string) => call(startLineScan, { deviceId: device.id, line, method }),
    onSettled: refresh,
  })
  const stopping = useMutation({
    mutationFn: (line: string) => call(stopLineScan, { deviceId: device.id, line }),
    onSettled: refresh,
  })
  if (lines.length === 0) return null
  const line = chosen ?? lines[0]?.id ?? ''
  const shown = scans.data?.datalist ?? []
  const isBusy = shown.some((scan) => scan.line === line && isGoingOn(scan))
  const error = starting.error ?? stopping.error
  return (
    <section className={styles.search} aria-label={t('scan.title')} data-testid="line-search">
      <h3>{t('scan.title')}</h3>
      <div className={styles.bar}>
        <Select
          className={styles.choice ?? ''}
          aria-label={t('config.field.id')}
          data-testid="scan-line"
          showSearch={{ optionFilterProp: 'label' }}
          value={line}
          options={lines.map(({ id }) => ({ value: id, label: id }))}
          onChange={setLine}
        />
        <Select
          className={styles.choice ?? ''}
          aria-label={t('scan.method')}
          data-testid="scan-method"
          value={method}
          options={scanMethod.options.map((value) => ({ value, label: t(`scan.methods.${value}`) }))}
          onChange={setMethod}
        />
        <Button
          icon={<RadarChartOutlined />}
          disabled={isBusy}
          loading={starting.isPending}
          data-testid="scan-start"
          onClick={() => starting.mutate(line)}
        >
          {t('scan.start')}
        </Button>
      </div>
      <p className={styles.meta}>{t(`scan.means.${method}`)}</p>
      {error && <Alert type="error" showIcon title={toFailureText(error)} />}
      {shown.map((scan) => (
        <ScanState
          key={scan.id}
          scan={scan}
          isStopping={stopping.isPending}
          onStop={() => stopping.mutate(scan.line)}
        />
      ))}
    </section>
  )
}
