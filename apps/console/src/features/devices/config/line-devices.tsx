import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import type { FieldLine } from '@isotherm/contract/gateway-config'
import { fitsLine } from '@isotherm/profiles/resolve-gateway-config'
import { AutoComplete, Button, Pagination, Select } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../shared/form/field.tsx'
import form from '../../../shared/form/form.module.css'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import styles from './config.module.css'
import { type DraftPath, getAt, listAt, toText } from './draft.ts'
import type { Editor } from './editor.ts'
import { EntryControl } from './entry-control.tsx'
import { toKey } from './find-draft-faults.ts'
import { toShownPage } from './to-shown-page.ts'
import { useFaultText } from './use-fault-text.ts'

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

interface OneDeviceProps {
  readonly path: DraftPath
  /** Whether it has a name at the platform of its operator. */
  readonly isNamed: boolean
  readonly editor: Editor
  readonly serials: readonly { readonly value: string; readonly label: string }[]
  readonly profiles: Editor['profiles']
  /** Fields that a serial changes. */
  readonly onSerial: (serial: string) => object
  readonly onRemove: () => void
}

function OneDevice({ path, isNamed, editor, serials, profiles, onSerial, onRemove }: OneDeviceProps) {
  const { t } = useTranslation('devices')
  const language = useLanguage()
  const toFaultText = useFaultText()
  const id = useId()
  const device = getAt(editor.draft, path)
  const fieldOf = (name: string) => getAt(device, [name])
  const profile = profiles.find((each) => each.id === fieldOf('profile'))
  const toField = (
    name: 'serial' | 'address' | 'profile' | 'platformId' | 'pollPeriodS',
    isRequired: boolean,
    control: (common: {
      readonly id: string
      readonly testId: string
      readonly isFaulty: boolean
    }) => ReactNode,
  ) => {
    const fault = toFaultText(editor.faultAt([...path, name]))
    const label = t(`config.field.${name}`)
    return (
      <Field label={isRequired ? `${label} *` : label} htmlFor={`${id}-${name}`} fault={fault}>
        {control({
          id: `${id}-${name}`,
          testId: `config-${toKey([...path, name])}`,
          isFaulty: fault !== undefined,
        })}
      </Field>
    )
  }
  const toEntry = (name: 'address' | 'platformId' | 'pollPeriodS', kind: 'text' | 'number') =>
    toField(name, name !== 'pollPeriodS', (common) => (
      <EntryControl
        {...common}
        kind={kind}
        value={fieldOf(name)}
        {...(name === 'pollPeriodS' && profile && { initial: profile.pollPeriodS })}
        onValue={(next) => editor.change([...path, name], next)}
      />
    ))
  return (
    <div className={styles.device}>
      <div>
        {toField('serial', true, ({ testId, isFaulty, ...common }) => (
          <AutoComplete
            {...common}
            className={form.wide ?? ''}
            data-testid={testId}
            status={isFaulty ? 'error' : ''}
            value={toText(fieldOf('serial'))}
            options={[...serials]}
            showSearch={{
              filterOption: (typed, option) => `${option?.label}`.toLowerCase().includes(typed.toLowerCase()),
            }}
            onChange={(serial: string) => {
              for (const [name, value] of Object.entries(onSerial(serial)))
                editor.change([...path, name], value)
            }}
          />
        ))}
        {isNamed && toEntry('platformId', 'text')}
        {toEntry('address', 'text')}
        {toField('profile', true, ({ testId, isFaulty, ...common }) => (
          <Select
            {...common}
            className={form.wide ?? ''}
            data-testid={testId}
            status={isFaulty ? 'error' : ''}
            showSearch={{ optionFilterProp: 'label' }}
            value={fieldOf('profile') ?? null}
            options={profiles.map(({ id: value, name }) => ({ value, label: name[language] }))}
            onChange={(next) => editor.change([...path, 'profile'], next)}
          />
        ))}
        {toEntry('pollPeriodS', 'number')}
      </div>
      <Button
        type="text"
        icon={<DeleteOutlined />}
        aria-label={t('config.removeDevice')}
        onClick={onRemove}
      />
    </div>
  )
}
