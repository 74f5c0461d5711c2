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
import { Alert, Button, Progress, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { linesQuery } from '../config/lines-query.ts'
import styles from './scan.module.css'

const POLL_MS = 2 * SECOND_MS

const isGoingOn = ({ outcome }: LineScan): boolean => outcome === 'waiting' || outcome === 'searching'

/** A gateway that lost its connection may still search the line, and refuses other searches of it. */
const mayBeStopped = (scan: LineScan): boolean =>
  isGoingOn(scan) || scan.outcome === 'gateway-silent' || scan.outcome === 'busy'

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

interface ScanStateProps {
  readonly scan: LineScan
  readonly isStopping: boolean
  readonly onStop: () => void
}

/** What became of a search, with its progress and the button that stops it. */
function ScanState({ scan, isStopping, onStop }: ScanStateProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const { line, method, outcome, progress, actor, startedAt, code } = scan
  const { requested, of, found, known, collisions } = progress
  const goesOn = isGoingOn(scan)
  const percent = of === 0 ? 0 : Math.floor((100 * requested) / of)
  const isGood = goesOn || outcome === 'done' || outcome === 'stopped'
  return (
    <div className={styles.scan} data-testid={`scan-${line}`} data-outcome={outcome}>
      <div className={styles.bar}>
        <strong>{line}</strong>
        <span>{t(`scan.methods.${method}`)}</span>
        {isGood ? (
          <span>{t(`scan.outcome.${outcome}`, { code: code ?? 0 })}</span>
        ) : (
          <span className={styles.wrong}>{t(`scan.outcome.${outcome}`, { code: code ?? 0 })}</span>
        )}
        {mayBeStopped(scan) && (
          <Button size="small" loading={isStopping} data-testid={`scan-stop-${line}`} onClick={onStop}>
            {t('scan.stop')}
          </Button>
        )}
      </div>
      {outcome === 'searching' && <Progress size="small" percent={percent} />}
      {requested > 0 && (
        <span>
          {t('scan.found', { found: format.number(found, 0), known: format.number(known, 0) })} ·{' '}
          {t('scan.requested', { requested: format.number(requested, 0), of: format.number(of, 0) })}
        </span>
      )}
      {collisions > 0 && (
        <span className={styles.wrong}>
          {method === 'cjt188'
            ? t('scan.several')
            : t('scan.collisions', { count: collisions, shown: format.number(collisions, 0) })}
        </span>
      )}
      <small className={styles.meta}>{t('scan.by', { actor, time: format.instant(startedAt) })}</small>
    </div>
  )
}
