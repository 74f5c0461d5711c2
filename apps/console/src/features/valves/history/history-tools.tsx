import { SettingOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { Button, Checkbox, Segmented } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import { ExportButton } from '../export/export-button.tsx'
import { historyMetrics } from '../rows/valve-metrics.ts'
import { ValvePicker } from '../selection/valve-picker.tsx'
import styles from './history.module.css'
import { type HistoryUrl, historyViews, MAX_COMPARED } from './history-url.ts'
import { RangePresets, RangeSteps } from './range-bar.tsx'

interface HistoryToolsProps {
  readonly url: HistoryUrl
  readonly change: (change: Partial<HistoryUrl>, options?: { readonly push?: boolean }) => void
  readonly nodes: readonly NodeKey[] | undefined
  /** The valves that may be chosen, in tree order. */
  readonly choices: readonly Device[]
  readonly loading: boolean
  /** Current time of the server, Unix ms. */
  readonly now: number
}

/** Choice of valves, range and metrics. On a phone only valves and presets are shown; a button opens the rest. */
export function HistoryTools(props: HistoryToolsProps) {
  const { url, change, choices, loading } = props
  const { t } = useTranslation('valves')
  const isMobile = useIsMobile()
  const [isUnfolded, setUnfolded] = useState(false)
  const restId = useId()
  const picker = (
    <ValvePicker
      devices={choices}
      chosen={url.deviceIds}
      max={MAX_COMPARED}
      loading={loading}
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

function OtherTools({ url, change, nodes, now }: HistoryToolsProps) {
  const { t } = useTranslation('valves')
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
      <ExportButton deviceIds={url.deviceIds} nodes={nodes} metrics={url.metrics} range={url.range} />
      <Checkbox.Group
        aria-label={t('history.metrics')}
        value={[...url.metrics]}
        options={historyMetrics.map((metric) => ({ value: metric, label: format.metricName(metric) }))}
        onChange={(checked) => {
          const metrics = historyMetrics.filter((metric) => checked.includes(metric))
          if (metrics.length > 0) change({ metrics })
        }}
      />
    </>
  )
}
