import { UploadOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import { MAX_GROUP_DEVICES } from '@isotherm/contract/endpoints/devices/device-groups'
import { topicPart } from '@isotherm/contract/mqtt'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Input } from 'antd'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { FileButton } from '../../../shared/inputs/file-button.tsx'
import { findDevices } from './find-devices.ts'
import styles from './members.module.css'
import { decodeText, parseSerials } from './parse-serials.ts'
import type { SourceProps } from './source-props.ts'

/** Devices of a list of serials, and the serials without a device that can be added. */
interface Matched {
  readonly devices: readonly Device[]
  readonly unknown: readonly string[]
  readonly retired: readonly string[]
  /** Serials of devices in several companies. */
  readonly ambiguous: readonly string[]
}

async function matchSerials(serials: readonly string[]): Promise<Matched> {
  const found = await findDevices(
    'imei',
    serials.filter((serial) => topicPart.safeParse(serial).success),
  )
  const countOf = new Map<string, number>()
  for (const { imei } of found) countOf.set(imei, (countOf.get(imei) ?? 0) + 1)
  const isOnce = ({ imei }: Device) => countOf.get(imei) === 1
  return {
    devices: found.filter((device) => isOnce(device) && device.use === 'in-use'),
    unknown: serials.filter((serial) => !countOf.has(serial)),
    retired: found.filter((device) => isOnce(device) && device.use === 'retired').map(({ imei }) => imei),
    ambiguous: serials.filter((serial) => (countOf.get(serial) ?? 0) > 1),
  }
}

/** Adds the devices of a pasted list or a file of serials. Serials that cannot be added are named. */
export function FromSerials({ onAdd }: SourceProps) {
  const { t } = useTranslation('groups')
  const [text, setText] = useState('')
  const [isOver, setOver] = useState(false)
  const serials = parseSerials(text)
  const matching = useMutation({
    mutationFn: () => matchSerials(serials),
    onSuccess: ({ devices }) => onAdd(devices),
  })
  const change = (next: string) => {
    matching.reset()
    setText(next)
  }
  const read = async (chosen: File | undefined) => {
    if (chosen) change(decodeText(await chosen.arrayBuffer()))
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void read(event.dataTransfer.files[0])
  }
  const faults = (['unknown', 'retired', 'ambiguous'] as const).flatMap((fault) => {
    const named = matching.data?.[fault] ?? []
    return named.length > 0 ? [{ fault, named }] : []
  })
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button serves the keyboard */}
      <div
        className={`${styles.drop} ${isOver ? styles.isOver : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Input.TextArea
          rows={4}
          variant="borderless"
          aria-label={t('serials.label')}
          data-testid="member-serials"
          placeholder={t('serials.placeholder')}
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      </div>
      {serials.length > MAX_GROUP_DEVICES && (
        <Alert
          type="warning"
          showIcon
          title={t('serials.tooMany', { total: serials.length, max: MAX_GROUP_DEVICES })}
        />
      )}
      {matching.isError && <Alert type="error" showIcon title={toFailureText(matching.error)} />}
      {matching.data && (
        <p role="status" className={styles.meta} data-testid="serials-result">
          {t('serials.result', { count: matching.data.devices.length, total: serials.length })}
        </p>
      )}
      {faults.map(({ fault, named }) => (
        <Alert
          key={fault}
          type="warning"
          showIcon
          data-testid={`serials-${fault}`}
          title={t(`serials.${fault}`, { count: named.length })}
          description={<p className={styles.unknown}>{named.join(', ')}</p>}
        />
      ))}
      <div className={styles.buttons}>
        <FileButton
          label={t('serials.file')}
          accept=".txt,.csv,text/plain,text/csv"
          icon={<UploadOutlined />}
          inputTestId="member-file"
          onFile={(file) => void read(file)}
        />
        <Button
          data-testid="member-add-serials"
          loading={matching.isPending}
          disabled={serials.length === 0 || serials.length > MAX_GROUP_DEVICES}
          onClick={() => matching.mutate()}
        >
          {t('serials.add', { count: serials.length })}
        </Button>
      </div>
    </>
  )
}
