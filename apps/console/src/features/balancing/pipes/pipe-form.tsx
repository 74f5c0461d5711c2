import type { HeatedNode } from '@isotherm/contract/endpoints/network/emitters'
import type { Pipe } from '@isotherm/contract/endpoints/network/pipes'
import { pipeMaterial, pipeRanges } from '@isotherm/contract/network/pipes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Popconfirm, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import field from '../fields/field.module.css'
import start from '../fields/form.module.css'
import { NumberField } from '../fields/number-field.tsx'
import { networkKeys, savePipe } from './network-queries.ts'
import { findComplete, type PipeDraft, startPipe } from './pipe-draft.ts'
import styles from './pipes.module.css'
import { toShortAddress } from './short-address.ts'

interface PipeFormProps {
  /** The existing pipe; absent for a new one. */
  readonly pipe: Pipe | undefined
  /** Nodes that a pipe can connect. */
  readonly nodes: readonly HeatedNode[]
  /** Number of names at the start of an address that are not shown. */
  readonly depth: number
  readonly onClose: () => void
}

/** Form of one pipe. */
export function PipeForm({ pipe, nodes, depth, onClose }: PipeFormProps) {
  const { t } = useTranslation('balancing')
  const client = useQueryClient()
  const id = useId()
  const [draft, setDraft] = useState(() => startPipe(pipe))
  const change = (part: Partial<PipeDraft>) => setDraft({ ...draft, ...part })
  const saving = useMutation({
    mutationFn: savePipe,
    async onSuccess() {
      await client.invalidateQueries({ queryKey: networkKeys })
      onClose()
    },
    // Somebody may have changed the pipe: reload it, so that the form is mounted again with the new version.
    onError: () => client.invalidateQueries({ queryKey: networkKeys }),
  })
  const complete = findComplete(draft)
  const expected = pipe ? { version: pipe.version } : {}
  const options = nodes.map(({ node, nestaddr }) => ({ value: node, label: toShortAddress(nestaddr, depth) }))
  const mayEdit = pipe === undefined || pipe.abilities.includes('edit')
  return (
    <form
      className={start.form}
      data-testid="pipe-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (complete) saving.mutate({ ...complete, ...expected })
      }}
    >
      {(['from', 'to'] as const).map((end) => (
        <div key={end} className={field.field}>
          <label htmlFor={`${id}-${end}`}>{t(`pipes.${end}`)}</label>
          {pipe ? (
            <span>{toShortAddress(end === 'from' ? pipe.fromAddr : pipe.toAddr, depth)}</span>
          ) : (
            <Select
              id={`${id}-${end}`}
              className={styles.wide ?? ''}
              data-testid={`pipe-${end}`}
              showSearch={{ optionFilterProp: 'label' }}
              value={draft[end] ?? null}
              options={options.filter(({ value }) => value !== draft[end === 'from' ? 'to' : 'from'])}
              onChange={(node: string) => change({ [end]: node })}
            />
          )}
        </div>
      ))}
      <NumberField
        label={t('pipes.length')}
        unit="m"
        hint={t('pipes.lengthHint')}
        bounds={pipeRanges.lengthM}
        isNeeded
        value={draft.lengthM}
        onValue={(lengthM) => change({ lengthM })}
      />
      <NumberField
        label={t('pipes.diameter')}
        unit="mm"
        hint={t('pipes.diameterHint')}
        bounds={pipeRanges.innerDiameterMm}
        isNeeded
        value={draft.innerDiameterMm}
        onValue={(innerDiameterMm) => change({ innerDiameterMm })}
      />
      <div className={field.field}>
        <label htmlFor={`${id}-material`}>{t('pipes.material')}</label>
        <Select
          id={`${id}-material`}
          className={styles.wide ?? ''}
          value={draft.material}
          options={pipeMaterial.options.map((value) => ({ value, label: t(`pipes.materials.${value}`) }))}
          onChange={(material) => change({ material })}
        />
      </div>
      <NumberField
        label={t('pipes.roughness')}
        unit="mm"
        hint={t('pipes.roughnessHint')}
        bounds={pipeRanges.roughnessMm}
        value={draft.roughnessMm}
        onValue={(roughnessMm) => change({ roughnessMm })}
      />
      <NumberField
        label={t('pipes.year')}
        unit=""
        hint={t('pipes.yearHint')}
        bounds={pipeRanges.laidYear}
        isWhole
        value={draft.laidYear}
        onValue={(laidYear) => change({ laidYear })}
      />
      {saving.error && <Alert type="error" showIcon title={toFailureText(saving.error)} />}
      <div className={start.end}>
        {pipe?.abilities.includes('remove') && (
          <Popconfirm
            title={t('pipes.removeSure')}
            onConfirm={() =>
              saving.mutate({ from: pipe.from, to: pipe.to, version: pipe.version, record: null })
            }
          >
            <Button danger data-testid="pipe-remove">
              {t('pipes.remove')}
            </Button>
          </Popconfirm>
        )}
        <Button onClick={onClose}>{t('pipes.cancel')}</Button>
        {mayEdit && (
          <Button
            type="primary"
            htmlType="submit"
            disabled={!complete}
            loading={saving.isPending}
            data-testid="pipe-save"
          >
            {t('pipes.save')}
          </Button>
        )}
      </div>
    </form>
  )
}
