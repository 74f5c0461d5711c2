import { PlusOutlined } from '@ant-design/icons'
import type { DeviceKind } from '@isotherm/contract/devices'
import { addDevModel } from '@isotherm/contract/endpoints/devices/device-models'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Divider, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import type { ControlProps } from '../../../shared/form/form-field.ts'
import styles from './model-choice.module.css'
import { modelsQuery } from './models-query.ts'

const LONGEST_NAME = 60

interface ModelFieldProps extends Pick<ControlProps, 'id' | 'value' | 'isFaulty' | 'onValue'> {
  readonly kind: DeviceKind
}

/** Chooses the model of a device, or adds one: a new installation has none. */
export function ModelField({ id, kind, value, isFaulty, onValue }: ModelFieldProps) {
  const { t } = useTranslation('devices')
  const client = useQueryClient()
  const [name, setName] = useState('')
  const models = useQuery(modelsQuery(kind))
  const adding = useMutation({
    mutationFn: () => call(addDevModel, { kind, name: name.trim() }),
    async onSuccess(model) {
      setName('')
      await client.invalidateQueries({ queryKey: modelsQuery(kind).queryKey })
      onValue(model.id)
    },
  })
  return (
    <Select
      id={id}
      showSearch={{ optionFilterProp: 'label' }}
      status={isFaulty ? 'error' : ''}
      data-testid="field-modelId"
      value={typeof value === 'number' ? value : null}
      loading={models.isPending}
      options={(models.data?.datalist ?? []).map((model) => ({
        value: model.id,
        label: model.maker === '' ? model.name : `${model.name} · ${model.maker}`,
      }))}
      onChange={onValue}
      popupRender={(menu) => (
        <>
          {menu}
          <Divider className={styles.divider ?? ''} />
          <div className={styles.adding}>
            <Input
              value={name}
              maxLength={LONGEST_NAME}
              placeholder={t('edit.newModel')}
              data-testid="model-name"
              onChange={({ target }) => setName(target.value)}
              // The list would take the keys as its own.
              onKeyDown={(event) => event.stopPropagation()}
            />
            <Button
              icon={<PlusOutlined />}
              disabled={name.trim() === ''}
              loading={adding.isPending}
              data-testid="model-add"
              onClick={() => adding.mutate()}
            >
              {t('edit.addModel')}
            </Button>
          </div>
          {adding.error && <Alert type="error" title={toFailureText(adding.error)} />}
        </>
      )}
    />
  )
}
