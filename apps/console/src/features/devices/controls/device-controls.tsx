import type { Device } from '@isotherm/contract/devices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Answer } from '../../../shared/ui/answer.tsx'
import { ControlRow } from './control-row.tsx'
import styles from './controls.module.css'
import { type ControllingKind, controlsQuery } from './controls-query.ts'

interface DeviceControlsProps {
  readonly device: Device
  readonly kind: ControllingKind
  readonly isEditable: boolean
  /** Opens the form that adds an entry; undefined while it is open. */
  readonly onAdd: (() => void) | undefined
  /** Called after a change. */
  readonly onChanged: () => void
}

/** What a valve or a station's controller controls: nodes with the purpose, such as the supply or irrigation. */
export function DeviceControls({ device, kind, isEditable, onAdd, onChanged }: DeviceControlsProps) {
  const { t } = useTranslation('devices')
  const client = useQueryClient()
  const options = controlsQuery(device.id)
  const query = useQuery(options)
  const changed = () => {
    void client.invalidateQueries({ queryKey: options.queryKey })
    onChanged()
  }
  return (
    <section aria-label={t('controls.title')} data-testid="device-controls">
      <h3>{t('controls.title')}</h3>
      <Answer query={query}>
        {({ datalist }) => (
          <>
            {datalist.length === 0 && <p className={styles.meta}>{t(`controls.none.${kind}`)}</p>}
            <ul className={styles.list}>
              {datalist.map((control) => (
                <ControlRow key={control.id} control={control} onChanged={changed} />
              ))}
            </ul>
          </>
        )}
      </Answer>
      {isEditable && (
        <Button size="small" disabled={!onAdd} data-testid="control-add" onClick={onAdd}>
          {t('controls.addAction')}
        </Button>
      )}
    </section>
  )
}
