import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../shared/form/field.tsx'
import { configZh } from '../locales/config.zh.ts'
import styles from './config.module.css'
import type { FieldShape } from './draft/describe-fields.ts'
import { type DraftPath, getAt, toText } from './draft/draft.ts'
import type { Editor } from './draft/editor.ts'
import { toKey } from './draft/find-draft-faults.ts'
import { EntryControl } from './entry-control.tsx'
import { SecretControl } from './secret-control.tsx'
import { useFaultText } from './use-fault-text.ts'

type FieldName = keyof typeof configZh.field
type HintName = keyof typeof configZh.hint
type PlatformName = keyof typeof configZh.platform

const isNamed = (name: string): name is FieldName => Object.hasOwn(configZh.field, name)
const hasHint = (name: string): name is HintName => Object.hasOwn(configZh.hint, name)
const isPlatform = (name: string): name is PlatformName => Object.hasOwn(configZh.platform, name)

interface ObjectFieldsProps {
  readonly fields: readonly FieldShape[]
  /** Where the object is in the document. */
  readonly path: DraftPath
  readonly editor: Editor
}

/** The fields of an object of a configuration, each with its fault and hint. */
export function ObjectFields({ fields, path, editor }: ObjectFieldsProps) {
  return (
    <div className={styles.fields}>
      {fields.map((field) => (
        <OneField key={field.name} field={field} path={[...path, field.name]} editor={editor} />
      ))}
    </div>
  )
}

interface OneFieldProps extends Pick<ObjectFieldsProps, 'path' | 'editor'> {
  readonly field: FieldShape
}

function OneField({ field, path, editor }: OneFieldProps) {
  const { t } = useTranslation('devices')
  const toFaultText = useFaultText()
  const id = useId()
  const label = isNamed(field.name) ? t(`config.field.${field.name}`) : field.name
  const value = getAt(editor.draft, path)
  if (field.kind === 'object')
    return (
      <fieldset className={styles.group}>
        <legend>{label}</legend>
        <ObjectFields fields={withInitial(field)} path={path} editor={editor} />
      </fieldset>
    )
  const toLabel = (option: string) => (isPlatform(option) ? t(`config.platform.${option}`) : option)
  if (field.kind === 'variant') {
    const chosen = toText(getAt(value, [field.by]))
    return (
      <fieldset className={styles.group}>
        <legend>{label}</legend>
        <Field label={`${t('config.field.kind')} *`} htmlFor={id}>
          <EntryControl
            id={id}
            testId={`config-${toKey([...path, field.by])}`}
            kind="choice"
            options={[...field.options.keys()].map((option) => ({ value: option, label: toLabel(option) }))}
            value={chosen === '' ? undefined : chosen}
            isFaulty={false}
            onValue={(next) => editor.change(path, { [field.by]: next })}
          />
        </Field>
        <ObjectFields fields={field.options.get(chosen) ?? []} path={path} editor={editor} />
      </fieldset>
    )
  }
  const fault = toFaultText(editor.faultAt(path))
  const common = {
    id,
    testId: `config-${toKey(path)}`,
    value,
    isFaulty: fault !== undefined,
    onValue: (next: unknown) => editor.change(path, next),
  }
  return (
    <Field
      label={field.isRequired ? `${label} *` : label}
      htmlFor={id}
      fault={fault}
      {...(hasHint(field.name) && { hint: t(`config.hint.${field.name}`) })}
    >
      {field.kind === 'secret' ? (
        <SecretControl {...common} isStored={editor.isSecretStored(path)} isRequired={field.isRequired} />
      ) : (
        <EntryControl
          {...common}
          kind={field.kind}
          {...(field.kind === 'choice' && {
            options: field.options.map((option) => ({ value: option, label: toLabel(option) })),
          })}
          {...(field.initial !== undefined && { initial: field.initial })}
        />
      )}
    </Field>
  )
}

type ObjectField = Extract<FieldShape, { kind: 'object' }>

/** Fields of an object that has a default: each shows what the default has, which an empty one is (`complete-draft.ts`). */
const withInitial = (field: ObjectField): readonly FieldShape[] =>
  field.fields.map((inner) => {
    const initial = getAt(field.initial, [inner.name])
    return initial === undefined ? inner : { ...inner, initial, isRequired: false }
  })
