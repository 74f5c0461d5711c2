import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import { managingPages } from '@isotherm/contract/endpoints/devices/device-access'
import {
  adoptDevice,
  type UnregisteredDevice,
} from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { topicPart } from '@isotherm/contract/mqtt'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormField } from '../../../shared/form/form-field.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { RecordDrawer } from '../../../shared/records/record-drawer.tsx'
import { useSession } from '../../../shared/session/session-store.ts'
import { ModelField } from '../model-choice/model-field.tsx'
import { modelsQuery } from '../model-choice/models-query.ts'
import { profilesQuery } from '../profiles/profiles-query.ts'
import styles from './unregistered.module.css'
import { UNREGISTERED } from './unregistered-query.ts'

/** Usual report period, s. */
const USUAL_PERIOD_S = 900

type Name = 'node' | 'imei' | 'name' | 'modelId' | 'profile' | 'meterNo' | 'periodS' | 'description'

interface AdoptDeviceProps {
  /** Undefined closes the drawer. */
  readonly unregistered: UnregisteredDevice | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Kinds of device that a gateway has behind it and the user may manage. */
function useKinds(): readonly DeviceKind[] {
  const permitted = useSession((session) => session.permitted)
  return deviceKind.options.filter((kind) => kind !== 'concentrator' && permitted.has(managingPages[kind]))
}

function useFields(
  kind: DeviceKind,
  unregistered: UnregisteredDevice | undefined,
): readonly FormField<Name>[] {
  const { t } = useTranslation(['devices', 'common'])
  const language = useLanguage()
  const profiles = useQuery(profilesQuery).data ?? []
  const isOnLine = unregistered?.via === 'line'
  const options = profiles.flatMap(({ profile }) =>
    profile.kind === kind ? [{ value: profile.id, label: profile.name[language] }] : [],
  )
  const fields: readonly (FormField<Name> & { readonly isHidden?: boolean })[] = [
    { name: 'node', label: t('column.place'), control: 'node', isScanned: true },
    {
      name: 'imei',
      label: t('column.serial'),
      hint: t('unregistered.serialHint'),
      wrongText: t('edit.wrongSerial'),
      control: 'text',
      scanned: 'serial',
      isHidden: !isOnLine,
    },
    { name: 'name', label: t('column.name'), control: 'text' },
    {
      name: 'modelId',
      label: t('column.model'),
      control: 'own',
      render: (props) => <ModelField {...props} kind={kind} />,
    },
    {
      name: 'profile',
      label: t('registry.profile'),
      hint: t('unregistered.profileHint'),
      control: 'select',
      options,
      isHidden: !isOnLine,
    },
    {
      name: 'meterNo',
      label: t('column.meterNo'),
      control: 'text',
      scanned: 'meterNo',
      wrongText: t('edit.wrongMeterNo'),
      isHidden: kind !== 'heat-meter',
    },
    { name: 'periodS', label: t('edit.period'), control: 'number', unit: 's', hint: t('edit.periodHint') },
    { name: 'description', label: t('edit.description'), control: 'area', emptyAs: '' },
  ]
  return fields.filter(({ isHidden }) => !isHidden)
}

/** The drawer that registers a device that was received, with what it probably is filled in. */
export function AdoptDevice({ unregistered, onClose, onDone }: AdoptDeviceProps) {
  const { t } = useTranslation(['devices', 'common'])
  const client = useQueryClient()
  const kinds = useKinds()
  const [chosen, setChosen] = useState<{ readonly id: number; readonly kind: DeviceKind }>()
  const guessed = kinds.find((kind) => kind === unregistered?.guess?.kind)
  const kind =
    (chosen?.id === unregistered?.id ? chosen?.kind : undefined) ?? guessed ?? kinds[0] ?? 'heat-meter'
  const fields = useFields(kind, unregistered)
  const nodes = useSelectedNodes()
  const models = useQuery(modelsQuery(kind))
  const profiles = useQuery(profilesQuery).data
  if (!models.data || !profiles) return null
  const key = unregistered?.guess?.kind === kind ? unregistered.guess.profile : undefined
  const model = models.data.datalist.find(({ profile }) => key !== undefined && profile === key)
  const profile = profiles.find((known) => known.profile.id === key)?.profile
  const { address = '', via } = unregistered ?? {}
  const isSerial = topicPart.safeParse(address).success
  return (
    <RecordDrawer
      record={unregistered && `${unregistered.id} ${kind}`}
      title={t('unregistered.adoptTitle', { address })}
      head={
        <div className={styles.head}>
          <Segmented
            value={kind}
            options={kinds.map((value) => ({ value, label: t(`deviceKind.${value}`, { ns: 'common' }) }))}
            onChange={(next) => unregistered && setChosen({ id: unregistered.id, kind: next })}
          />
        </div>
      }
      schema={adoptDevice.input}
      fields={fields}
      fixed={{ id: unregistered?.id, kind, ...(via === 'readings' && { imei: address }) }}
      initial={{
        periodS: profile?.pollPeriodS ?? USUAL_PERIOD_S,
        name: `${t(`deviceKind.${kind}`, { ns: 'common' })} ${address}`.slice(0, 60),
        ...(isSerial && { imei: address }),
        ...(profile && { profile: profile.id }),
        ...(model && { modelId: model.id }),
        ...(nodes?.length === 1 && { node: nodes[0] }),
      }}
      submit={t('unregistered.adopt')}
      onSave={async (input) => {
        const device = await call(adoptDevice, input)
        showNotice('success', t('unregistered.adopted', { name: device.name }))
      }}
      onDone={() => {
        void client.invalidateQueries({ queryKey: UNREGISTERED })
        void client.invalidateQueries({ queryKey: ['devices', 'gateway-lines'] })
        onDone()
      }}
      onClose={onClose}
    />
  )
}
