import type { ControlLimits } from '@isotherm/contract/command'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, InputNumber } from 'antd'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import text from '../lists/text.module.css'
import { previewKey } from '../order/preview-query.ts'
import { compareDraft, fromDraft, limitNames, type TypedLimits } from './limit-draft.ts'
import { limitsKey, saveLimits } from './limit-queries.ts'
import styles from './limits.module.css'
import type { LimitNode } from './use-limit-chain.ts'

interface LimitsFormProps {
  readonly node: LimitNode
  readonly limits: ControlLimits
  /** Version of the limits that the user sees. */
  readonly version: number
  /** Whether the server lets the caller set them. */
  readonly maySet: boolean
}

/** Smallest value of each limit. A maximum step of 0 would refuse every command (contract, controlLimits). */
const MINIMUM = { minOpeningPct: 0, maxStepPct: 1, minTotalPct: 0 } as const satisfies Record<
  keyof ControlLimits,
  number
>

/** Sets the limits of one node; read-only without the ability. Typed values stay until they are saved. */
export function LimitsForm({ node, limits, version, maySet }: LimitsFormProps) {
  const { t } = useTranslation('valves')
  const id = useId()
  const client = useQueryClient()
  const [typed, setTyped] = useState<TypedLimits>()
  const { draft, isChanged, ...compared } = compareDraft(typed, limits, version)
  const save = useMutation({
    mutationFn: (seen: number) => saveLimits(node.key, seen, fromDraft(draft)),
    onSuccess: async () => {
      void client.invalidateQueries({ queryKey: previewKey })
      await client.invalidateQueries({ queryKey: limitsKey })
      setTyped(undefined)
      // Last: what a user types after this message is a new change.
      showNotice('success', t('limits.saved', { node: node.label }))
    },
    // Another user may have saved first: the current limits are fetched.
    onError: () => client.invalidateQueries({ queryKey: limitsKey }),
  })
  if (!maySet) return <p className={text.hint}>{t('limits.readOnly', { node: node.label })}</p>
  // During a save the version may already be newer.
  const isConflicting = compared.isConflicting && !save.isPending
  const resolve = (draft: typeof typed) => {
    setTyped(draft)
    save.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged && !isConflicting && !save.isPending) save.mutate(version)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <h3>{t('limits.setOn', { node: toWholeAddress(node.nestaddr) })}</h3>
      {limitNames.map((name) => (
        <div key={name} className={styles.field}>
          <label htmlFor={`${id}-${name}`}>{t(`limits.${name}`)}</label>
          <InputNumber
            id={`${id}-${name}`}
            data-testid={`limit-${name}`}
            min={MINIMUM[name]}
            max={100}
            precision={0}
            suffix="%"
            placeholder={t('limits.unlimited')}
            value={draft[name]}
            readOnly={save.isPending}
            onChange={(value) =>
              setTyped({ draft: { ...draft, [name]: value }, version: typed?.version ?? version })
            }
          />
          <small className={text.hint}>{t(`limits.hint.${name}`)}</small>
        </div>
      ))}
      {isConflicting ? (
        <Alert
          type="warning"
          showIcon
          data-testid="limits-conflict"
          title={t('limits.conflict')}
          action={
            <>
              <Button size="small" onClick={() => resolve({ draft, version })}>
                {t('limits.keepMine')}
              </Button>
              <Button size="small" type="text" onClick={() => resolve(undefined)}>
                {t('limits.takeTheirs')}
              </Button>
            </>
          }
        />
      ) : (
        save.isError && <Alert type="error" showIcon title={toFailureText(save.error)} />
      )}
      <Button
        type="primary"
        htmlType="submit"
        loading={save.isPending}
        disabled={!isChanged || isConflicting}
        data-testid="save-limits"
      >
        {t('limits.save')}
      </Button>
    </form>
  )
}
