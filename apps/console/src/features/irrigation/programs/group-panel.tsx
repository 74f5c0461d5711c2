import { DeleteOutlined, EditOutlined, PlusOutlined, SettingOutlined } from '@ant-design/icons'
import type { IrrigationGroup, IrrigationSource } from '@isotherm/contract/irrigation'
import { Button, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from '../irrigation.module.css'
import { irrigationCalls, useIrrigationChange } from '../queries.ts'
import { GroupForm } from './group-form.tsx'
import { SourceForm } from './source-form.tsx'

/** Groups of a source with their valves, and the settings of the source. */
export function GroupPanel({ source }: { readonly source: IrrigationSource }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const [edited, setEdited] = useState<IrrigationGroup | 'new'>()
  const [isSettings, setSettings] = useState(false)
  const remove = useIrrigationChange(irrigationCalls.removeGroup)
  const maySet = source.abilities.includes('configure')
  return (
    <div className={styles.stack}>
      {maySet && (
        <div className={styles.line}>
          <Button icon={<PlusOutlined />} data-testid="group-add" onClick={() => setEdited('new')}>
            {t('groupForm.add')}
          </Button>
          <Button icon={<SettingOutlined />} data-testid="source-edit" onClick={() => setSettings(true)}>
            {t('source.edit')}
          </Button>
        </div>
      )}
      <div className={styles.cards}>
        {source.groups.map((group) => (
          <div key={group.id} className={styles.card} data-testid="group-card">
            <div className={`${styles.line} ${styles.between}`}>
              <h3>{group.name}</h3>
              {maySet && (
                <span>
                  <Button
                    type="text"
                    size="small"
                    icon={<EditOutlined />}
                    aria-label={t('groupForm.edit', { name: group.name })}
                    onClick={() => setEdited(group)}
                  />
                  <Popconfirm
                    title={t('removeAsk', { name: group.name })}
                    okText={t('remove')}
                    cancelText={t('cancel')}
                    onConfirm={() => remove.mutate({ id: group.id, version: group.version })}
                  >
                    <Button type="text" size="small" icon={<DeleteOutlined />} aria-label={t('remove')} />
                  </Popconfirm>
                </span>
              )}
            </div>
            <small className={styles.hint}>{t(`groupForm.${group.mode}`)}</small>
            {group.valves.map(({ deviceId, deviceName, flowM3H }) => (
              <small key={deviceId} className={`${styles.line} ${styles.between}`}>
                <span>{deviceName}</span>
                <span>{t('m3h', { value: format.number(flowM3H, 1) })}</span>
              </small>
            ))}
          </div>
        ))}
      </div>
      {edited !== undefined && (
        <GroupForm
          source={source}
          group={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      <SourceForm
        isOpen={isSettings}
        node={source.node}
        place={source.nestaddr}
        source={source}
        onClose={() => setSettings(false)}
      />
    </div>
  )
}
