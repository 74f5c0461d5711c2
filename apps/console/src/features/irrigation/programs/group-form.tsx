import {
  type IrrigationGroup,
  type IrrigationGroupSettings,
  type IrrigationSource,
  irrigationGroupSettings,
  MAX_PROBES,
} from '@isotherm/contract/irrigation'
import { Button, Input, Segmented, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showNotice } from '../../../shared/notices/notices.ts'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import styles from '../irrigation.module.css'
import { irrigationCalls, useIrrigationChange } from '../queries.ts'
import { toDeviceOptions, toSensorOptions } from './device-options.ts'
import { Field } from './field.tsx'
import { NumberField } from './number-field.tsx'

const PROPOSED_FLOW_M3H = 6
const PROPOSED_MAX_S = 3_600

const toDraft = (group: IrrigationGroup | undefined): IrrigationGroupSettings =>
  // The name may be older than the rule for names, so it is not checked.
  group
    ? { ...irrigationGroupSettings.omit({ name: true }).parse(group), name: group.name }
    : { name: '', mode: 'parallel', valves: [] }

interface GroupFormProps {
  readonly source: IrrigationSource
  /** Absent for a new group. */
  readonly group: IrrigationGroup | undefined
  readonly onClose: () => void
}

/** A group of valves: which, how they open, what flows through each and how long at a stretch. */
export function GroupForm({ source, group, onClose }: GroupFormProps) {
  const { t } = useTranslation('irrigation')
  const [draft, setDraft] = useState(() => toDraft(group))
  const put = (part: Partial<IrrigationGroupSettings>) => setDraft((before) => ({ ...before, ...part }))
  const parsed = irrigationGroupSettings.safeParse(draft)
  const save = useIrrigationChange(irrigationCalls.setGroup, () => {
    showNotice('success', t('saved'))
    onClose()
  })
  const choose = (ids: readonly number[]) =>
    put({
      valves: ids.map(
        (deviceId) =>
          draft.valves.find((valve) => valve.deviceId === deviceId) ?? {
            deviceId,
            flowM3H: PROPOSED_FLOW_M3H,
            maxS: PROPOSED_MAX_S,
          },
      ),
    })
  const nameOf = (id: number) => source.candidates.find(({ deviceId }) => deviceId === id)
  return (
    <SideDrawer
      isWanted
      title={group ? t('groupForm.edit', { name: group.name }) : t('groupForm.add')}
      widthPx={520}
      isModal
      onClose={onClose}
    >
      <div className={styles.stack} data-testid="group-form">
        <Field label={t('source.name')}>
          <Input
            value={draft.name}
            data-testid="group-name"
            onChange={({ target }) => put({ name: target.value })}
          />
        </Field>
        <Field label={t('groupForm.mode')}>
          <Segmented
            value={draft.mode}
            options={(['parallel', 'sequential'] as const).map((value) => ({
              value,
              label: t(`groupForm.${value}`),
            }))}
            onChange={(mode) => put({ mode })}
          />
        </Field>
        <NumberField
          label={t('groupForm.wetPct')}
          min={0}
          max={100}
          value={draft.wetPct}
          onValue={(wetPct) => {
            const { wetPct: _, ...rest } = draft
            setDraft(wetPct === undefined ? rest : { ...rest, wetPct })
          }}
        />
        <Field label={t('groupForm.probeIds')}>
          <Select<number[]>
            mode="multiple"
            aria-label={t('groupForm.probeIds')}
            data-testid="group-probes"
            placeholder={t('groupForm.noProbes')}
            maxCount={MAX_PROBES}
            value={draft.probeIds ?? []}
            showSearch={{ optionFilterProp: 'label' }}
            options={toSensorOptions(
              source.sensors,
              'probe',
              [...(group?.probeIds ?? []), ...(draft.probeIds ?? [])],
              t('source.unsuited.probe'),
            )}
            onChange={(probeIds) => put({ probeIds })}
          />
        </Field>
        <Field label={t('groupForm.valves')}>
          <Select<number[]>
            mode="multiple"
            aria-label={t('groupForm.valves')}
            data-testid="group-valves"
            value={draft.valves.map(({ deviceId }) => deviceId)}
            showSearch={{ optionFilterProp: 'label' }}
            options={toDeviceOptions(source.candidates)}
            onChange={choose}
          />
        </Field>
        {draft.valves.map((valve, index) => {
          const change = (part: Partial<typeof valve>) =>
            put({ valves: draft.valves.map((each, at) => (at === index ? { ...each, ...part } : each)) })
          return (
            <div key={valve.deviceId} className={styles.card}>
              <small>{nameOf(valve.deviceId)?.nestaddr.replaceAll(',', ' / ') ?? valve.deviceId}</small>
              <div className={styles.line}>
                <NumberField
                  label={t('groupForm.flowM3H')}
                  min={0.01}
                  max={1_000}
                  precision={2}
                  value={valve.flowM3H}
                  onValue={(flowM3H) => flowM3H !== undefined && change({ flowM3H })}
                />
                <NumberField
                  label={t('groupForm.maxMin')}
                  min={1}
                  max={1_080}
                  value={valve.maxS / 60}
                  onValue={(minutes) => minutes !== undefined && change({ maxS: minutes * 60 })}
                />
              </div>
            </div>
          )
        })}
        <Button
          type="primary"
          disabled={!parsed.success}
          loading={save.isPending}
          data-testid="group-save"
          onClick={() =>
            parsed.data &&
            save.mutate({
              sourceId: source.id,
              settings: parsed.data,
              ...(group && { id: group.id, version: group.version }),
            })
          }
        >
          {t('save')}
        </Button>
      </div>
    </SideDrawer>
  )
}
