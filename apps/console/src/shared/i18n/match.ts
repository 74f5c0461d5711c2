/** Names of the `{{placeholders}}` in a text. */
type Places<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Places<Rest> : never

/** Same keys as `Source`, any texts. */
type SameKeys<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string ? string : SameKeys<Source[Key]>
}

type SamePlaces<Source, Text> = {
  readonly [Key in keyof Source]: Key extends keyof Text
    ? Source[Key] extends string
      ? [Places<Source[Key]>, Places<Text[Key]>] extends [Places<Text[Key]>, Places<Source[Key]>]
        ? Text[Key]
        : { readonly placesDiffer: [Places<Source[Key]>, Places<Text[Key]>] }
      : SamePlaces<Source[Key], Text[Key]>
    : never
}

/**
 * Declares a translation of `Source`. It must have exactly the same keys, and each text must have the same
 * `{{placeholders}}` as the Chinese one. Usage: `export const en = match<typeof zh>()({ … })`.
 */
export const match =
  <Source>() =>
  <const Text extends SameKeys<Source>>(text: Text & SamePlaces<Source, Text>): Text =>
    text
