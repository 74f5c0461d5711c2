import { SettingOutlined } from '@ant-design/icons'
import type { Device, DeviceKind } from '@isotherm/contract/devices'
import type { EarlierDevice } from '@isotherm/contract/endpoints/monitoring/history'
import type { MetricName } from '@isotherm/contract/metrics'
import type { NodeKey } from '@isotherm/contract/tree'
import { Button, Checkbox, Segmented } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import { DevicePicker } from '../devices/device-picker.tsx'
import { listMetrics } from '../devices/history-metrics.ts'
import { ExportButton } from '../export/export-button.tsx'
import styles from './history.module.css'
import { type HistoryUrl, historyViews, MAX_COMPARED } from './history-url.ts'
import { RangePresets, RangeSteps } from './range-bar.tsx'

interface HistoryToolsProps {
  readonly url: HistoryUrl
  /** The shown metrics. */
  readonly metrics: readonly MetricName[]
  /** Kinds of the chosen devices. */
  readonly kinds: readonly DeviceKind[]
  readonly change: (change: Partial<HistoryUrl>, options?: { readonly push?: boolean }) => void
  readonly nodes: readonly NodeKey[] | undefined
  readonly chosen: readonly Device[]
  /** Devices that were replaced by the chosen ones. */
  readonly earlier: readonly EarlierDevice[]
  /** Current time of the server, Unix ms. */
  readonly now: number
}

/** Choice of devices, range and metrics. On a phone only devices and presets are shown; a button opens the rest. */
export function HistoryTools(props: HistoryToolsProps) {
  const { url, change, nodes, chosen } = props
  const { t } = useTranslation('history')
  const isMobile = useIsMobile()
  const [isUnfolded, setUnfolded] = useState(false)
  const restId = useId()
  const picker = (
    <DevicePicker
      nodes={nodes}
      kind={url.kind}
      onKind={(kind) => change({ kind })}
      chosen={chosen}
      chosenIds={url.deviceIds}
      max={MAX_COMPARED}
      onChoose={(deviceIds) => change({ deviceIds: deviceIds.slice(0, MAX_COMPARED) }, { push: true })}
    />
  )
  const presets = <RangePresets range={url.range} onRange={(range) => change({ range }, { push: true })} />
  if (!isMobile) {
    return (
      <div className={styles.toolbar}>
        {picker}
        {presets}
        <OtherTools {...props} />
      </div>
    )
  }
  return (
    <div className={styles.toolbar}>
      <div className={styles.folded}>
        {picker}
        <Button
          icon={<SettingOutlined />}
          aria-expanded={isUnfolded}
          aria-controls={isUnfolded ? restId : undefined}
          aria-label={t('history.tools')}
          title={t('history.tools')}
          data-testid="history-tools"
          onClick={() => setUnfolded((was) => !was)}
        />
      </div>
      {presets}
      {isUnfolded && (
        <div id={restId} className={styles.unfolded}>
          <OtherTools {...props} />
        </div>
      )}
    </div>
  )
}

function OtherTools({ url, metrics, kinds, change, nodes, earlier, now }: HistoryToolsProps) {
  const { t } = useTranslation('history')
  const format = useFormat()
  return (
    <>
      <RangeSteps range={url.range} now={now} onRange={(range) => change({ range }, { push: true })} />
      <Segmented
        value={url.view}
        options={historyViews.map((view) => ({ value: view, label: t(`history.${view}`) }))}
        onChange={(view) => change({ view })}
      />
      {url.view === 'chart' && (
        <Checkbox
          checked={url.compare}
          data-testid="compare-year"
          onChange={(event) => change({ compare: event.target.checked })}
        >
          {t('history.compare.action')}
        </Checkbox>
      )}
      <ExportButton
        deviceIds={url.deviceIds}
        earlier={earlier}
        nodes={nodes}
        kinds={kinds}
        metrics={metrics}
        range={url.range}
      />
      <Checkbox.Group
        aria-label={t('history.metrics')}
        value={[...metrics]}
        options={listMetrics(kinds).map((metric) => ({ value: metric, label: format.metricName(metric) }))}
        onChange={(checked) => {
          const chosen = listMetrics(kinds).filter((metric) => checked.includes(metric))
          if (chosen.length > 0) change({ metrics: chosen })
        }}
      />
    </>
  )
}
