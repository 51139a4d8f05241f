/** Prefix of the database id until a copy is complete. The api does not start on such a database. */
export const UNFINISHED = 'unfinished copy of ';
