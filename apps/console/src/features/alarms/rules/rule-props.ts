import type { RuleDraft, RuleField } from './rule-draft.ts'

/** Props of the rule fields. */
export interface RuleFieldsProps {
  readonly draft: RuleDraft
  readonly onDraft: (draft: RuleDraft) => void
}

/** Props of a group of fields, with their errors. */
export interface PartProps extends RuleFieldsProps {
  readonly faultOf: (field: RuleField) => string | undefined
}
