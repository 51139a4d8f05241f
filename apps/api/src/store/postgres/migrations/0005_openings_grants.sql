-- Grants what other roles may do with the table to the view that processes of the version before use. The rename kept the
-- grants with the table, and a view begins with none: a process that connects as another role than the owner, which
-- migrates, could not write any more.
DO $$
DECLARE
	granted record;
BEGIN
	FOR granted IN
		SELECT acl.privilege_type AS privilege, CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE acl.grantee::regrole::text END AS role
		FROM pg_class, aclexplode(pg_class.relacl) AS acl
		WHERE pg_class.oid = '"epochs"'::regclass AND acl.grantee <> pg_class.relowner
			AND acl.privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
	LOOP
		EXECUTE format('GRANT %s ON "openings" TO %s', granted.privilege, granted.role);
	END LOOP;
END $$;
