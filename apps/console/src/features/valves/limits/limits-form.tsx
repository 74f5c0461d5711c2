import type { ControlLimits } from '@isotherm/contract/command'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, InputNumber } from 'antd'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { showNotice } from '../../../shared/ui/notices.ts'
import text from '../lists/text.module.css'
import { previewKey } from '../order/preview-query.ts'
import { fromDraft, judgeDraft, limitNames, type TypedLimits } from './limit-draft.ts'
import { limitsKey, saveLimits } from './limit-queries.ts'
import styles from './limits.module.css'
import type { LimitNode } from './use-limit-chain.ts'

interface LimitsFormProps {
  readonly node: LimitNode
  readonly limits: ControlLimits
  /** How often they were changed before. */
  readonly version: number
  /** Whether the server lets the caller set them. */
  readonly maySet: boolean
}

/** A step of nought would let no command through (contract, controlLimits). */
const LEAST = { minOpeningPct: 0, maxStepPct: 1, minTotalPct: 0 } as const satisfies Record<
  keyof ControlLimits,
  number
>

/** Sets the limits of one node; only for who may change the network there. What is typed stays until it is saved. */
export function LimitsForm({ node, limits, version, maySet }: LimitsFormProps) {
  const { t } = useTranslation('valves')
  const id = useId()
  const client = useQueryClient()
  const [typed, setTyped] = useState<TypedLimits>()
  const { draft, isChanged, ...judged } = judgeDraft(typed, limits, version)
  const save = useMutation({
    mutationFn: (seen: number) => saveLimits(node.key, seen, fromDraft(draft)),
    onSuccess: async () => {
      showNotice('success', t('limits.saved', { node: node.label }))
      void client.invalidateQueries({ queryKey: previewKey })
      await client.invalidateQueries({ queryKey: limitsKey })
      setTyped(undefined)
    },
    // Somebody else may have been quicker: what is set now is asked for.
    onError: () => client.invalidateQueries({ queryKey: limitsKey }),
  })
  if (!maySet) return <p className={text.hint}>{t('limits.readOnly', { node: node.label })}</p>
  // What is being saved has a newer version before it is known to be saved.
  const isOvertaken = judged.isOvertaken && !save.isPending
  const settle = (kept: typeof typed) => {
    setTyped(kept)
    save.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged && !isOvertaken && !save.isPending) save.mutate(version)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <h3>{t('limits.setOn', { node: node.label })}</h3>
      {limitNames.map((name) => (
        <div key={name} className={styles.field}>
          <label htmlFor={`${id}-${name}`}>{t(`limits.${name}`)}</label>
          <InputNumber
            id={`${id}-${name}`}
            data-testid={`limit-${name}`}
            min={LEAST[name]}
            max={100}
            precision={0}
            suffix="%"
            placeholder={t('limits.unlimited')}
            value={draft[name]}
            onChange={(value) =>
              setTyped({ draft: { ...draft, [name]: value }, version: typed?.version ?? version })
            }
          />
          <small className={text.hint}>{t(`limits.hint.${name}`)}</small>
        </div>
      ))}
      {isOvertaken ? (
        <Alert
          type="warning"
          showIcon
          data-testid="limits-overtaken"
          title={t('limits.overtaken')}
          action={
            <>
              <Button size="small" onClick={() => settle({ draft, version })}>
                {t('limits.keepMine')}
              </Button>
              <Button size="small" type="text" onClick={() => settle(undefined)}>
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
        disabled={!isChanged || isOvertaken}
        data-testid="save-limits"
      >
        {t('limits.save')}
      </Button>
    </form>
  )
}
