import { PlusOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import type { FieldLine } from '@isotherm/contract/gateway-config'
import { fitsLine } from '@isotherm/profiles/resolve-gateway-config'
import { Button, Pagination } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './config.module.css'
import { listAt, toText } from './draft/draft.ts'
import type { Editor } from './draft/editor.ts'
import { OneDevice } from './one-device.tsx'
import { toShownPage } from './to-shown-page.ts'

const PAGE_DEVICES = 20

interface LineDevicesProps {
  readonly driver: FieldLine['driver']
  /** Position of the line. */
  readonly at: number
  readonly editor: Editor
  /** Devices behind the gateway. */
  readonly offered: readonly Device[]
}

/** The devices of a line, with address, profile and poll period. */
export function LineDevices({ driver, at, editor, offered }: LineDevicesProps) {
  const { t } = useTranslation('devices')
  const [chosenPage, setPage] = useState(1)
  const path = ['lines', at, 'devices']
  const devices = listAt(editor.draft, path)
  const used = new Set(
    listAt(editor.draft, ['lines']).flatMap((line) =>
      listAt(line, ['devices']).map(({ serial }) => toText(serial)),
    ),
  )
  const free = offered.filter(({ imei }) => !used.has(imei))
  const page = toShownPage(chosenPage, devices.length, PAGE_DEVICES)
  const first = (page - 1) * PAGE_DEVICES
  const profiles = editor.profiles.filter((profile) => fitsLine(profile, driver))
  /** None of another kind is guessed: an empty field is seen, a wrong profile is not. */
  const findProfile = (kind: string | undefined) => profiles.find((profile) => profile.kind === kind)?.id
  const add = () => {
    const [next] = free
    const profile = findProfile(next?.kind)
    const device = { serial: next?.imei ?? '', ...(profile !== undefined && { profile }) }
    editor.change(path, [...devices, device])
    setPage(Math.floor(devices.length / PAGE_DEVICES) + 1)
  }
  return (
    <section className={styles.view} aria-label={t('config.devices')}>
      <div className={styles.bar}>
        <h3>{t('config.devicesOf', { count: devices.length })}</h3>
        <Button icon={<PlusOutlined />} data-testid="config-add-device" onClick={add}>
          {t('config.addDevice')}
        </Button>
      </div>
      {free.length > 0 && <p className={styles.meta}>{t('config.free', { count: free.length })}</p>}
      {devices.slice(first, first + PAGE_DEVICES).map((_, index) => (
        <OneDevice
          // biome-ignore lint/suspicious/noArrayIndexKey: the serial is what is being typed
          key={first + index}
          path={[...path, first + index]}
          isNamed={driver === 'northbound-http'}
          hasClass={driver === 'chirpstack-mqtt' || driver === 'northbound-http'}
          editor={editor}
          serials={free.map(({ imei, name }) => ({ value: imei, label: `${imei} · ${name}` }))}
          profiles={profiles}
          onSerial={(serial) => {
            const kind = offered.find(({ imei }) => imei === serial)?.kind
            const own = profiles.find(({ id }) => id === devices[first + index]?.profile)
            if (kind !== undefined && own?.kind !== kind) return { serial, profile: findProfile(kind) }
            return { serial }
          }}
          onRemove={() =>
            editor.change(
              path,
              devices.filter((__, other) => other !== first + index),
            )
          }
        />
      ))}
      {devices.length > PAGE_DEVICES && (
        <Pagination
          size="small"
          current={page}
          pageSize={PAGE_DEVICES}
          total={devices.length}
          showSizeChanger={false}
          onChange={setPage}
        />
      )}
    </section>
  )
}
