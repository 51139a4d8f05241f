/** The parts of a tRPC client error that may contain a problem document. */
interface CallError {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the problem document of the service's response as it was sent, with the details beside it. */
export function sentProblem({ data, meta }: CallError): unknown {
  // Until a procedure is found, the response is the problem document without tRPC's envelope.
  if (!data?.problem) return meta?.responseJSON;
  const { problem, conflicts, inviteUrl } = data;
  return { ...problem, ...(conflicts !== undefined && { conflicts }), ...(inviteUrl !== undefined && { inviteUrl }) };
}
