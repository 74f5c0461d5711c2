import type { Device } from '@isotherm/contract/devices'
import { getDevice } from '@isotherm/contract/endpoints/devices/devices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { call } from '../../shared/api/client.ts'
import { lazyView } from '../../shared/lazy/lazy-view.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import { PageFrame, Panel } from '../../shared/ui/page-frame.tsx'
import { EmptyState, LoadingState } from '../../shared/ui/states.tsx'
import { WrappingTabs } from '../../shared/ui/wrapping-tabs.tsx'
import { usePageUrl } from '../../shared/url/use-page-url.ts'
import styles from './debug/debug.module.css'
import { type DebugUrl, debugToSearch, parseDebugUrl, rangeKeys, sections } from './debug/debug-url.ts'
import { DevicePicker } from './debug/device-picker.tsx'
import { LiveReadings } from './debug/live-readings.tsx'
import { PasteFrame } from './debug/paste-frame.tsx'
import { PlaceDevices } from './debug/place-devices.tsx'
import { ReadNow } from './debug/read-now.tsx'
import { ReadingsPanel } from './debug/readings-panel.tsx'
import { SetOpening } from './debug/set-opening.tsx'
import { TimelinePanel } from './debug/timeline-panel.tsx'
import { DeviceHead } from './edit/device-head.tsx'
import { DeviceSegments } from './edit/device-segments.tsx'
import { modelsQuery } from './model-choice/models-query.ts'

// It brings the decoders of all protocols along.
const FramesPanel = lazyView(() => import('./debug/frames-panel.tsx'))

const toPath = (id: number): string => `/dev/devdebug?id=${id}`

/** Everything about one device: identity, newest values, commands, frames of the bus, and what happened to it. */
export default function DevdebugPage() {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const [url, change] = usePageUrl(parseDebugUrl, debugToSearch)
  const { id, node } = url
  const query = useQuery({
    queryKey: ['devices', 'device', id],
    queryFn: ({ signal }) => call(getDevice, { id: id ?? 0 }, { signal }),
    enabled: id !== undefined,
  })
  const open = (next: number) => void navigate(toPath(next))
  return (
    <PageFrame
      toolbar={
        <div className={styles.bar}>
          <DevicePicker onDevice={open} />
          <Segmented
            aria-label={t('debug.rangeLabel')}
            value={url.range}
            options={rangeKeys.map((value) => ({ value, label: t(`debug.range.${value}`) }))}
            onChange={(range) => change({ range })}
          />
        </div>
      }
    >
      {id === undefined ? (
        <>
          {node === undefined ? (
            <EmptyState title={t('debug.none')} hint={t('debug.noneHint')} />
          ) : (
            <PlaceDevices key={node} node={node} onOpen={open} />
          )}
          <Panel title={t('frames.title')}>
            <PasteFrame />
          </Panel>
        </>
      ) : (
        <Answer query={query}>
          {(device) => <DeviceView key={device.id} device={device} url={url} onUrl={change} onOpen={open} />}
        </Answer>
      )}
    </PageFrame>
  )
}

interface DeviceViewProps {
  readonly device: Device
  readonly url: DebugUrl
  readonly onUrl: (part: Partial<DebugUrl>) => void
  readonly onOpen: (id: number) => void
}

function DeviceView({ device, url, onUrl, onOpen }: DeviceViewProps) {
  const { t } = useTranslation('devices')
  const client = useQueryClient()
  const { range, section } = url
  const models = useQuery({ ...modelsQuery(device.kind), enabled: section === 'paste' })
  const model = models.data?.datalist.find(({ name }) => name === device.model)
  const panels = {
    timeline: <TimelinePanel deviceId={device.id} range={range} />,
    readings: <ReadingsPanel device={device} range={range} />,
    frames: (
      <Suspense fallback={<LoadingState />}>
        <FramesPanel key={range} deviceId={device.id} range={range} />
      </Suspense>
    ),
    paste: <PasteFrame kind={device.kind} profileId={model?.profile} />,
  }
  return (
    <div className={styles.grid}>
      <div className={styles.side}>
        <Panel title={`${device.name} · ${device.imei}`} {...(styles.panel && { className: styles.panel })}>
          <DeviceHead device={device} />
          <DeviceSegments device={device} onOpen={onOpen} />
        </Panel>
        <Panel title={t('debug.newest')}>
          {device.use === 'in-use' && <ReadNow device={device} />}
          <LiveReadings device={device} />
        </Panel>
        {device.abilities.includes('control') && (
          <Panel title={t('debug.setTitle')}>
            <SetOpening
              device={device}
              onSent={() => {
                onUrl({ section: 'timeline' })
                void client.invalidateQueries({ queryKey: ['devices', 'timeline', device.id] })
              }}
            />
          </Panel>
        )}
      </div>
      <Panel>
        <WrappingTabs
          activeKey={section}
          items={sections.map((key) => ({ key, label: t(`debug.section.${key}`), children: panels[key] }))}
          destroyOnHidden
          onChange={(key) => onUrl({ section: sections.find((each) => each === key) ?? 'timeline' })}
        />
      </Panel>
    </div>
  )
}
