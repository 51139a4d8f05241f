/** What stands before the epoch until a copy is complete: the api does not start on it. */
export const UNFINISHED = 'unfinished copy of ';
